#!/bin/sh
# Installs a package in a fresh Debian 12, starts and stops the daemon there, removes and purges it. As root:
#
#     scripts/test-deb.sh PACKAGE.deb [ROOT_FOLDER]        an existing ROOT_FOLDER is used as it is
set -eu

package=$1
root=${2:-$(mktemp -d)}
mirror=${MIRROR:-http://deb.debian.org/debian}
say() { echo "test-deb: $*"; }
inside() { chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }

if [ ! -e "$root/bin/sh" ]; then
    say "making a Debian 12 in $root"
    debootstrap --variant=minbase bookworm "$root" "$mirror" > "$root.log"
fi
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
# Ends what this script has started in the chroot, whatever happens.
pid=
clean() {
    [ -z "$pid" ] || kill "$pid" 2> /dev/null || true
    umount "$root/proc" 2> /dev/null || true
}
trap clean EXIT

cp "$package" "$root/cuzk.deb"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2> /dev/null || true
say "installing"
inside apt-get -qq update
inside apt-get -qq install -y --no-install-recommends /cuzk.deb > /dev/null
inside id cuzk > /dev/null
inside cuzk --version
inside cuzkd --check-config --config /etc/cuzk/cuzk.toml

say "starting as the service does"
inside install -d -o cuzk -g cuzk -m 755 /run/cuzk
inside install -d -o cuzk -g cuzk -m 750 /var/lib/cuzk
# Each program of this line replaces the one before, so that $! is the daemon itself.
chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin setpriv --reuid=cuzk --regid=cuzk --clear-groups \
    cuzkd --config /etc/cuzk/cuzk.toml > "$root/cuzkd.log" 2>&1 &
pid=$!
i=0
until inside cuzk status > /dev/null 2>&1; do
    i=$((i + 1))
    if [ $i -gt 50 ] || ! kill -0 $pid 2> /dev/null; then
        cat "$root/cuzkd.log"
        exit 1
    fi
    sleep 0.2
done
inside cuzk status
[ "$(stat -c %a "$root/run/cuzk/cuzk.sock")" = 660 ]
kill -TERM $pid
wait $pid
pid=
[ ! -e "$root/run/cuzk/cuzk.sock" ]

say "removing"
inside apt-get -qq remove -y cuzk > /dev/null
[ ! -e "$root/usr/sbin/cuzkd" ] && [ -e "$root/etc/cuzk/cuzk.toml" ] && [ -d "$root/var/lib/cuzk" ]
inside apt-get -qq purge -y cuzk > /dev/null
[ ! -e "$root/etc/cuzk/cuzk.toml" ] && [ ! -e "$root/var/lib/cuzk" ]
if inside id cuzk > /dev/null 2>&1; then
    say "the user is still there"
    exit 1
fi
rm -f "$root/cuzk.deb"
say "clean"
