#!/usr/bin/env bash
# Puts deliberate bugs into the code, one at a time and in a copy, and wants the test named in the patch to fail.
# Fails if a patch does not apply any more or a bug is not caught. Some minutes; not part of CI.
# Usage: .ci/mutations.sh [PATCH...]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
module=$root/camel-fencedlease
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mvn --batch-mode -q -pl camel-fencedlease test-compile -Dspotless.check.skip \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath -Dmdep.outputFile="$work/classpath"
classes="$module/target/test-classes:$module/target/classes:$(cat "$work/classpath")"

run() { # overlay test
    (cd "$work/run" && timeout 600 java -XX:+UseSerialGC -Dsimulation.schedules="${SCHEDULES:-10000}" \
        -cp "$1$classes" io.fencedlease.simulation.RunTests "$2" </dev/null >"$work/out" 2>&1)
}

patches=("$@")
[ ${#patches[@]} -gt 0 ] || patches=("$module"/src/test/mutations/*.patch)
mkdir -p "$work/run/target"
bad=0
for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch)
    test=$(sed -n 's/^caught by //p' "$patch")
    file=$(sed -n 's#^+++ b/##p' "$patch")
    rm -rf "$work/copy" "$work/overlay"
    mkdir -p "$work/copy/$(dirname "$file")" "$work/overlay"
    cp "$root/$file" "$work/copy/$file"
    if ! patch -s -d "$work/copy" -p1 <"$patch" >"$work/out" 2>&1; then
        echo "DOES NOT APPLY  $name"
        bad=1
        continue
    fi
    javac -nowarn -proc:none -d "$work/overlay" -cp "$classes" "$work/copy/$file" 2>"$work/out" || {
        echo "DOES NOT COMPILE  $name"
        bad=1
        continue
    }
    code=0
    run "$work/overlay:" "$test" || code=$?
    if [ "$code" = 1 ]; then
        echo "caught  $name  by ${test##*.}  $(grep -m1 -oE '^[A-Z_]+: .*' "$work/out" | cut -c1-100 || true)"
    else
        echo "NOT CAUGHT  $name  by $test (exit code $code)"
        bad=1
    fi
done
exit "$bad"
