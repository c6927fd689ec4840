#!/usr/bin/env bash
# The failover demo: builds what it needs, then runs it. See README.md, or --help.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

for tool in "$java" mvn; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool not found: the demo needs a JDK 17 or later and Maven" >&2
        exit 2
    fi
done

# in the background, so that a signal reaches this script and not only Maven
build() {
    echo "Building: mvn package, without tests."
    mvn -B -ntp -q -f "$root/pom.xml" -pl examples/failover -am \
        -DskipTests -Dspotless.check.skip -Dstyle.color=never package &
    maven=$!
    trap 'kill "$maven" 2>/dev/null; wait "$maven" || true; exit 130' INT TERM
    wait "$maven"
    trap - INT TERM
    touch "$here/target/classpath"
}

sources=("$root/pom.xml" "$root/camel-fencedlease/pom.xml" "$root/camel-fencedlease/src/main" "$here/pom.xml" "$here/src/main")
if [ ! -e "$here/target/classpath" ] || [ -n "$(find "${sources[@]}" -newer "$here/target/classpath" -print -quit)" ]; then
    build
fi

# exec: a signal to this script is one to the demo, which ends its nodes and removes its folder
exec "$java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dpage.folder="$here/target" \
    -cp "$here/target/classes:$(cat "$here/target/classpath")" io.fencedlease.examples.failover.Demo "$@"
