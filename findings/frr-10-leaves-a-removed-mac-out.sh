#!/usr/bin/env bash
# A remote EVPN address that is removed from the kernel's bridge: FRR 8.4 writes it again at once, FRR
# 10.3 never does, and goes on to list it as remote.
#
# Guess: zebra watches the bridge, so every release restores what it still knows.
# Seen: frr 8.4.4 (Debian 12) has the entry back within a second; frr 10.3 (Debian 13) has not after ten,
# while `show evpn mac vni 100` lists the address as remote on both. A program that removes entries to see
# which of them a daemon still wants loses them all with the newer release.
#
# Root, mmdebstrap, iproute2; a package source that has the pinned releases. Takes three minutes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/inside.sh" <<'INSIDE'
set -euo pipefail
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/netns
# Two leaves with a VXLAN device in a bridge each, and a station's address at the second.
for leaf in 1 2; do
  ip netns add leaf$leaf
  ip -n leaf$leaf link set lo up
done
ip -n leaf1 link add wire type veth peer name wire netns leaf2
for leaf in 1 2; do
  ip -n leaf$leaf addr add 198.51.100.$leaf/24 dev wire
  ip -n leaf$leaf link add bridge0 type bridge
  ip -n leaf$leaf link add vx master bridge0 type vxlan id 100 local 198.51.100.$leaf dstport 4789 nolearning
  ip -n leaf$leaf link add host type veth peer name far
  ip -n leaf$leaf link set host master bridge0
  for device in wire bridge0 vx host; do ip -n leaf$leaf link set $device up; done
  install -d -o frr -g frr /run/frr$leaf
  printf '%s\n' "router bgp 65000" " bgp router-id 198.51.100.$leaf" " no bgp default ipv4-unicast" \
    " neighbor 198.51.100.$((3 - leaf)) remote-as 65000" \
    " neighbor 198.51.100.$((3 - leaf)) timers connect 1" " address-family l2vpn evpn" \
    "  neighbor 198.51.100.$((3 - leaf)) activate" "  advertise-all-vni" >/run/frr$leaf/frr.conf
  for daemon in zebra bgpd; do
    ip netns exec leaf$leaf /usr/lib/frr/$daemon -d -A 127.0.0.1 -u frr -g frr \
      --vty_socket /run/frr$leaf -z /run/frr$leaf/api -i /run/frr$leaf/$daemon.pid \
      -f /run/frr$leaf/frr.conf >/dev/null 2>&1
  done
done
station=02:00:00:00:00:07
bridge -n leaf2 fdb add $station dev host master static

has() { bridge -n leaf1 fdb show dev vx | grep -q "^$station .*dst 198.51.100.2"; }
within() { for _ in $(seq $(($1 * 5))); do has && return; sleep 0.2; done; return 1; }
within 60 || { echo "not learned"; exit; }
sleep 2
bridge -n leaf1 fdb del $station dev vx dst 198.51.100.2 self
bridge -n leaf1 fdb del $station dev vx master
if within 10; then echo "written again"; else echo "not written again"; fi
vtysh --vty_socket /run/frr1 -d zebra -c "show evpn mac vni 100 mac $station" 2>/dev/null \
  | grep -q "Remote VTEP: 198.51.100.2\|Remote ES/VTEP: 198.51.100.2" && echo "listed as remote"
INSIDE

# seen SUITE VERSION: what that release does.
seen() {
  mmdebstrap --quiet --variant=apt --include="frr=$2,iproute2,mount" "$1" "$folder/$1"
  cp "$folder/inside.sh" "$folder/$1/inside.sh"
  # A mount point, so that namespaces can be made in there.
  unshare --net --mount --pid --fork --kill-child sh -c 'mount --bind "$1" "$1" && exec chroot "$1" \
    bash /inside.sh' sh "$folder/$1" 2>/dev/null | paste -sd, || true
}
older=$(seen bookworm 8.4.4-1.1~deb12u2)
newer=$(seen trixie 10.3-3+deb13u1)
printf 'frr 8.4.4: %s\nfrr 10.3: %s\n' "$older" "$newer"
[ "$older" = "written again,listed as remote" ]
[ "$newer" = "not written again,listed as remote" ]
