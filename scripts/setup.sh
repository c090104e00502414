#!/usr/bin/env bash
# Installs the Debian packages that cuzk needs and that are missing.
#
#     scripts/setup.sh [GROUP ...]     groups: build test demo interop fuzz compare aarch64; default: build test
#     scripts/setup.sh --list          what each package is for
#
# Nothing is asked for and nothing is downloaded if all of it is there. As another user than root, sudo is used.
set -euo pipefail

# group | package | command that does as well, or - | what needs it
packages() {
    cat <<'TABLE'
build     build-essential        cc,c++,make  compiler and make
build     cmake                  cmake        the build's description (3.25 or later)
build     ninja-build            ninja        the build
build     pkg-config             pkg-config   finds the libraries below
build     libssl-dev             -            SHA-256 and BLAKE2s of files and payloads, base64
build     libsodium-dev          -            BLAKE2b, the digest of published parameter files
build     libjansson-dev         -            JSON results, requests, public data
build     libgrpc-dev            -            the daemon's gRPC server and the client commands
build     libprotobuf-c-dev      -            messages of the wire protocol
build     protobuf-c-compiler    protoc-c     generates them from proto/
build     protobuf-compiler      protoc       checks proto/ and serves it by reflection
build     libmicrohttpd-dev      -            the daemon's status page and metrics
build     libsqlite3-dev         -            the journal of jobs and results
build     libtomlplusplus-dev    -            the daemon's configuration
build     libsystemd-dev         -            readiness and watchdog of the service
test      libcmocka-dev          -            unit tests
test      xz-utils               xz           unpacks large test inputs
test      procps                 ps           the daemon's tests look at processes
test      libjemalloc2           -            `cuzk bench dealloc` and `bench memory` measure it beside glibc's malloc
demo      jq                     jq           reads the timings that cuzk prints
interop   nodejs                 node         runs independent verifiers and clients
interop   npm                    npm          installs them (tests/interop/package-lock.json)
interop   openssl                openssl      certificates for the TLS tests
interop   chromium               chromium     shows the status page as a person sees it
fuzz      clang-14               clang-14     second compiler, and libFuzzer
fuzz      libclang-rt-14-dev     -            libFuzzer's and the sanitizers' runtimes
compare   npm                    npm          fetches blst's sources, to measure beside them
aarch64   gcc-aarch64-linux-gnu  -            cross compilers
aarch64   g++-aarch64-linux-gnu  -            the same for C++
aarch64   libc6-dev-arm64-cross  -            and its C library
aarch64   qemu-user-static       -            runs the tests of the arithmetic
TABLE
}

have_commands() { # "cc,c++": all of them
    local name
    for name in ${1//,/ }; do
        command -v "$name" > /dev/null || return 1
    done
}

is_installed() { # package, command
    if [ "$2" != - ]; then
        have_commands "$2"
    else
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
    fi
}

missing() { # groups
    local group package command wanted _
    packages | while read -r group package command _; do
        for wanted in "$@"; do
            if [ "$group" = "$wanted" ] && ! is_installed "$package" "$command"; then
                echo "$package"
            fi
        done
    done
}

if [ "${1-}" = --list ]; then
    packages | awk '{ line = sprintf("%-8s %-20s", $1, $2); for (i = 4; i <= NF; i++) line = line " " $i; print line }'
    exit 0
fi
[ $# -gt 0 ] || set -- build test
for group; do
    if ! packages | grep -q "^$group "; then
        echo "setup: there is no group '$group'" >&2
        exit 64
    fi
done

read -r -a wanted <<< "$(missing "$@" | tr '\n' ' ')"
[ ${#wanted[@]} -gt 0 ] || exit 0
if ! command -v apt-get > /dev/null; then
    echo "setup: this is no Debian; please install what corresponds to: ${wanted[*]}" >&2
    exit 69
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo > /dev/null; then
        echo "setup: as root: apt-get install ${wanted[*]}" >&2
        exit 69
    fi
    as_root=(sudo)
fi
echo "setup: installing ${wanted[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" < /dev/null > /dev/null; }
apt update
apt install --no-install-recommends -y "${wanted[@]}"
read -r -a wanted <<< "$(missing "$@" | tr '\n' ' ')"
if [ ${#wanted[@]} -gt 0 ]; then
    echo "setup: still missing: ${wanted[*]}" >&2
    exit 69
fi
