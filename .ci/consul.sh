#!/usr/bin/env bash
# Usage: .ci/consul.sh FILE
# Puts a Consul binary at FILE, taken out of the package `consul` that this machine's apt offers, or else out of that
# of Debian's release bullseye (later ones lack it).
#
# Works as root and as an ordinary user: the package is unpacked, not installed. For bullseye apt runs with lists, cache
# and status in a folder of its own; the mirror is the one this machine's apt already uses for its own release. apt
# checks the signature of the package list with Debian's archive keyring, and the package against the list.
set -euo pipefail

target=${1:?usage: .ci/consul.sh FILE}
release=bullseye
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { echo "consul.sh: $*" >&2; }
answers() { [[ -x $1 ]] && "$1" version >/dev/null 2>&1; }

if answers "$target"; then
  say "$target is there"
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

download() { (cd "$scratch" && apt-get --quiet=2 download consul); }

use_bullseye() {
  if [[ ! -r $keyring ]]; then
    say "missing: $keyring (package debian-archive-keyring)"
    exit 1
  fi

  # --no-release-info: also answers on a machine that never ran `apt-get update`
  codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-none}")
  mirror=$(apt-get indextargets --no-release-info --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$codename" '$1 == release && $2 == "main" && !found { print $3; found = 1 }')
  if [[ -z $mirror ]]; then
    say "apt has no source for '$codename main'"
    exit 1
  fi

  mkdir -p "$scratch/state/lists/partial" "$scratch/cache/archives/partial"
  touch "$scratch/status"
  echo "deb [signed-by=$keyring] $mirror $release main" >"$scratch/sources.list"
  cat >"$scratch/apt.conf" <<CONF
Dir::Etc::SourceList "$scratch/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$scratch/state";
Dir::State::Status "$scratch/status";
Dir::Cache "$scratch/cache";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "root";
CONF
  export APT_CONFIG=$scratch/apt.conf

  apt-get --quiet=2 --error-on=any update
}

download 2>/dev/null || { use_bullseye; download; }
dpkg-deb --extract "$scratch"/consul_*.deb "$scratch/unpacked"
mkdir -p "$(dirname "$target")"
# rename: whoever starts it meanwhile finds the whole file or none
install -m 755 "$scratch/unpacked/usr/bin/consul" "$target.$$"
mv -f "$target.$$" "$target"
if ! answers "$target"; then
  say "$target does not run on this machine"
  exit 1
fi
say "$target: $("$target" version | sed -n 1p)"
