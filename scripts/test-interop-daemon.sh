#!/bin/sh
# The daemon against clients that share no code with it: scripts/test-interop-daemon.sh BUILD_FOLDER [TEST_FILE...]
#
# Needs Node 20 and, for the page, Chromium (CHROMIUM, else /usr/bin/chromium). CUZK_TEST_PARAMS may name a folder with test
# parameters; SCREENSHOTS a folder for pictures of the page.
set -eu

build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")/.." && pwd)
tests=$here/tests/interop/daemon
modules=$build/interop-daemon

mkdir -p "$modules"
if ! cmp -s "$tests/package-lock.json" "$modules/package-lock.json"; then
    cp "$tests/package.json" "$tests/package-lock.json" "$modules/"
    (cd "$modules" && npm ci --no-audit --no-fund --ignore-scripts)
fi
# Node looks for modules beside the files that import them.
rm -rf "$modules/run"
mkdir "$modules/run"
for file in "$tests"/*.js "$tests/package.json"; do
    ln -s "$file" "$modules/run/"
done

cd "$modules/run"
if [ $# -eq 0 ]; then
    set -- ./*.test.js
fi
CUZK_ROOT=$here CUZK_BIN=$build/bin exec node --preserve-symlinks --preserve-symlinks-main --test --test-concurrency=1 --test-reporter=spec "$@"
