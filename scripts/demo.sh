#!/usr/bin/env bash
# From a fresh Debian 12 to a verified proof of a really sealed sector:  scripts/demo.sh [BUILD_FOLDER]
#
# Installs what is missing, builds, generates insecure test parameters, proves the PoRep and the winning PoSt of the
# sealed 2 KiB sector 42 of tests/data from the client's own files, verifies both, and shows times and proofs.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
cuzk=$build/bin/cuzk
params=$build/demo-params
results=$build/demo
sealed=tests/data/sealed-2kib

step() { printf '\n== %s\n' "$*"; }

# The files are good if they are bellperson's, byte for byte.
params_are_good() { # circuit
    local stem expected
    stem=$params/$("$cuzk" circuit info "$1" | jq -r .file)
    [ -f "$stem.params" ] && [ -f "$stem.vk" ] || return 1
    expected=$(jq -r --arg c "$1" --arg s "$stem" \
        '.[] | select(.circuit == $c) | "\(.params_sha256)  \($s).params\n\(.vk_sha256)  \($s).vk"' \
        tests/data/groth16/params.json)
    sha256sum --check --status <<< "$expected"
}

make_params() { # circuit
    if params_are_good "$1"; then
        echo "$1: there already"
        return
    fi
    rm -f "$params/$("$cuzk" circuit info "$1" | jq -r .file)".{params,vk}
    "$cuzk" params generate "$1" --insecure-seed cuzk-test-srs/v1 -o "$params"
    if params_are_good "$1"; then
        echo "$1: byte for byte those that Filecoin's own code generates from this seed"
    else
        echo "$1: the parameters differ from those that Filecoin's own code generates" >&2
        exit 1
    fi
}

show() { # JSON of cuzk prove
    jq -r '.timings_ms | to_entries[] | select(.key != "total") | "\(.key) \(.value)"' "$1" | awk '
        { name[NR] = $1; ms[NR] = $2; if ($2 > most) most = $2 }
        END {
            for (i = 1; i <= NR; i++) {
                bar = ""
                for (k = 0; k < ms[i] / most * 48 - 0.5; k++) bar = bar "█"
                printf "  %-9s %9.1f ms  %s\n", name[i], ms[i], bar
            }
        }'
    jq -r '"  total     \(.timings_ms.total | round) ms on \(.device), \(.peak_bytes / 1e6 | round) MB beyond the mapped parameters"' "$1"
    echo "  proof:"
    jq -r .proof "$1" | fold -w 96 | sed 's/^/    /'
}

verify() { # proof, options
    local proof=$1 code=0
    shift
    "$cuzk" verify "$@" --proof "$proof" --params "$params" 2>&1 || code=$?
    return "$code"
}

step "Packages"
scripts/setup.sh build test demo
echo "all there"

step "Build"
[ -f "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja > /dev/null
ninja -C "$build" --quiet cuzk
"$cuzk" --version

step "Insecure test parameters (anyone can forge proofs against them)"
mkdir -p "$results"
make_params porep-2k
make_params winning-2k

step "PoRep of sector 42 of miner f01000, from the client's file"
"$cuzk" prove -t porep --c1 "$sealed/porep-s42.wrapped.json" --sector-num 42 --miner-id 1000 \
    --params "$params" -o "$results/porep.bin" --json > "$results/porep.json"
show "$results/porep.json"
verify "$results/porep.bin" -t porep --public "$sealed/porep-s42.public.json" | sed 's/^/  verified from public data alone: /'

step "Winning PoSt of sector 42"
"$cuzk" prove -t winning --registered-proof StackedDrgWinning2KiBV1 --miner-id 1000 \
    --randomness "$(jq -r .randomness "$sealed/winning.public.json")" "$sealed/winning-42.vproof" \
    --params "$params" -o "$results/winning.bin" --json > "$results/winning.json"
show "$results/winning.json"
verify "$results/winning.bin" -t winning --public "$sealed/winning.public.json" |
    sed 's/^/  verified from public data alone: /'

step "The same PoRep proof, claimed for sector 43"
code=0
verdict=$(verify "$results/porep.bin" -t porep --public "$sealed/porep-s43.public.json") || code=$?
echo "  $verdict (exit code $code)"
[ "$code" = 1 ]

step "Done: proofs in $results, parameters in $params"
