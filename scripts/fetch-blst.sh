#!/usr/bin/env bash
# Fetches the blst sources that the npm package c-kzg ships, for comparisons only:  scripts/fetch-blst.sh FOLDER
#
# FOLDER (ignored by git, below the build folder) keeps the package and what is in it. Prints where blst lies.
set -euo pipefail
folder=${1:?usage: fetch-blst.sh FOLDER}
package=c-kzg-4.1.0
sha256=c56d9ed6aaa17bafa95c337c28837c68d2e54dabd76d91a185e2600a26480965

mkdir -p "$folder"
cd "$folder"
is_good() { [ -f "$package.tgz" ] && sha256sum --check --status <<< "$sha256  $package.tgz"; }
if ! is_good; then
    npm pack --silent "${package%-*}@${package##*-}" > /dev/null
    if ! is_good; then
        echo "fetch-blst: $folder/$package.tgz is not the file whose checksum is $sha256" >&2
        exit 1
    fi
fi
[ -f package/deps/blst/src/server.c ] || tar xzf "$package.tgz" package/deps/blst
echo "$PWD/package/deps/blst"
