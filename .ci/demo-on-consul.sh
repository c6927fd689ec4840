#!/usr/bin/env bash
# The failover demo with its lease in a real Consul: in the PATH, or from Debian's package. Nothing of it is left behind.
set -euo pipefail
cd "$(dirname "$0")/.."

consul=$(command -v consul || true)
if [[ -z $consul ]]; then
  consul=$PWD/target/consul/consul
  .ci/consul.sh "$consul"
fi
data=$(mktemp -d)
trap 'kill "${agent:-}" 2>/dev/null; wait; rm -rf "$data"' EXIT

base=$((20000 + RANDOM % 20000))
"$consul" agent -server -bootstrap-expect=1 -node=demo -data-dir="$data" -bind=127.0.0.1 -client=127.0.0.1 \
  -http-port=$base -server-port=$((base + 1)) -serf-lan-port=$((base + 2)) -serf-wan-port=$((base + 3)) \
  -dns-port=-1 -grpc-port=-1 -hcl='disable_update_check = true' >"$data/log" 2>&1 &
agent=$!

leader() { (exec 3<>"/dev/tcp/127.0.0.1/$base" && printf 'GET /v1/status/leader HTTP/1.0\r\n\r\n' >&3 && grep -q 127.0.0.1 <&3) 2>/dev/null; }
for _ in {1..300}; do
  leader && break
  kill -0 "$agent" || { cat "$data/log"; exit 1; }
  sleep 0.1
done
examples/failover/run.sh --consul "http://127.0.0.1:$base"
