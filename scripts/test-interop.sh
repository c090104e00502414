#!/usr/bin/env bash
# Other people's implementations judge ours:  scripts/test-interop.sh [BUILD_FOLDER]
#
# proofs   @noble/curves verifies proofs that `cuzk prove` makes here, of all four kinds
# daemon   grpc-js and Chromium talk to cuzkd (scripts/test-interop-daemon.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
cuzk=$build/bin/cuzk
folder=$build/interop
params=$build/test-params
sealed=tests/data/sealed-2kib

npm_install() {
    (cd "$1" && npm ci --no-audit --no-fund --loglevel=error < /dev/null > /dev/null)
}

prove() { # tag, options
    local tag=$1
    shift
    "$cuzk" prove "$@" --params "$params" -o "$folder/$tag.bin"
    echo "proved $tag"
}

mkdir -p "$folder"
# Kept where `make test` has left them.
"$build/bin/test_cli_params" wpost-2k winning-2k snap-2k porep-2k > "$folder/params.log" 2>&1 ||
    { cat "$folder/params.log"; exit 1; }
for circuit in wpost-2k winning-2k snap-2k porep-2k; do
    cp "$params/$("$cuzk" circuit info "$circuit" | jq -r .file).vk" "$folder/$circuit.vk"
done

hex() { jq -r ".$1" "$sealed/$2.public.json"; }
prove porep-2KiB-s42 -t porep --c1 $sealed/porep-s42.wrapped.json --sector-num 42 --miner-id 1000
prove porep-2KiB-s43 -t porep --c1 $sealed/porep-s43.wrapped.json --sector-num 43 --miner-id 1000
prove winning-2KiB -t winning --registered-proof 0 --miner-id 1000 --randomness "$(hex randomness winning)" \
    $sealed/winning-42.vproof
prove window-2KiB-42-43 -t window --registered-proof 10 --miner-id 1000 --randomness "$(hex randomness window)" \
    $sealed/window-42.vproof $sealed/window-43.vproof
prove update-2KiB -t snap --registered-proof 0 --comm-r-old "$(hex comm_r_old update-42)" \
    --comm-r-new "$(hex comm_r_new update-42)" --comm-d-new "$(hex comm_d_new update-42)" $sealed/update-42.json

npm_install tests/interop/proofs
node tests/interop/proofs/verify.mjs "$folder"

if [ -x "$build/bin/cuzkd" ]; then
    CUZK_TEST_PARAMS=$params scripts/test-interop-daemon.sh "$build"
fi
