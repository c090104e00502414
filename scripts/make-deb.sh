#!/bin/sh
# A Debian package from a staged install: scripts/make-deb.sh BUILD_FOLDER [OUTPUT_FOLDER]
set -eu

build=$1
out=${2:-$build}
here=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
architecture=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
umask 022

DESTDIR=$stage cmake --install "$build" --prefix /usr --strip > /dev/null

# What the programs and libraries are linked with, as packages.
mkdir -p "$stage/debian-tmp/debian"
printf 'Source: cuzk\n\nPackage: cuzk\nArchitecture: any\n' > "$stage/debian-tmp/debian/control"
is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }
binaries=$(find "$stage/usr" -type f | while read -r f; do
    case $f in *.a | *.o) continue ;; esac
    if is_elf "$f"; then echo "$f"; fi
done)
if command -v dpkg-shlibdeps > /dev/null; then
    # shellcheck disable=SC2086
    depends=$(cd "$stage/debian-tmp" && dpkg-shlibdeps -O --ignore-missing-info $binaries 2> /dev/null |
        sed 's/^shlibs:Depends=//')
else
    depends=$(for b in $binaries; do ldd "$b"; done | awk '$3 ~ "^/" { print $3 }' | sort -u |
        while read -r library; do
            dpkg -S "$library" 2> /dev/null || dpkg -S "/usr$library" 2> /dev/null || true
        done | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g')
fi
rm -rf "$stage/debian-tmp"

mkdir -p "$stage/DEBIAN"
cat > "$stage/DEBIAN/control" << CONTROL
Package: cuzk
Version: $version
Architecture: $architecture
Maintainer: The cuzk founders <cuzk@localhost>
Section: net
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: $depends, passwd
Homepage: https://filecoin.io
Description: Groth16 proving engine for Filecoin storage providers
 A persistent daemon (cuzkd) and a command (cuzk) that turn vanilla proofs into
 SNARKs over BLS12-381: PoRep, SnapDeals updates, WindowPoSt and WinningPoSt.
 Clients speak gRPC (cuzk.v1); status, metrics and a page come over HTTP.
CONTROL
if [ -e "$stage/etc/cuzk/cuzk.toml" ]; then
    echo /etc/cuzk/cuzk.toml > "$stage/DEBIAN/conffiles"
fi
for script in postinst prerm postrm; do
    install -m 755 "$here/packaging/$script" "$stage/DEBIAN/$script"
done
(cd "$stage" && find usr etc lib -type f 2> /dev/null | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums)
package=$out/cuzk_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$stage" "$package" > /dev/null
echo "$package"
