#!/usr/bin/env bash
# `show bgp l2vpn evpn route detail` of FRR 8.4 has headings of routes that nobody ever announced, one of them
# of type 2 with a MAC address of zeros.
#
# Guess: the detail of a table lists the routes that the table without detail lists.
# Seen: of three routes of GoBGP (a MAC, a multicast and an IP prefix route) the table and its JSON have
# three entries. With frr 8.4.4 (Debian 12) the detail has five headings and ends with "Displayed 3
# prefixes" as well. The two more, "Unsupported EVPN prefix" and a MAC of zeros with "Paths: (0
# available)", are where branches of the daemon's radix tree meet. A script that counts headings, or looks
# for a MAC route by them, finds what is not there. With frr 10.3 (Debian 13) the detail has three.
#
# Root, mmdebstrap, unshare; a package source that has the pinned releases. Takes three minutes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/inside.sh" <<'INSIDE'
set -euo pipefail
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
install -d -o frr -g frr /run/frr
ip link set lo up
cat >/run/frr/bgpd.conf <<'END'
router bgp 65001
 bgp router-id 192.0.2.1
 no bgp ebgp-requires-policy
 no bgp default ipv4-unicast
 neighbor 127.0.0.2 remote-as 65002
 neighbor 127.0.0.2 ebgp-multihop 5
 neighbor 127.0.0.2 passive
 address-family l2vpn evpn
  neighbor 127.0.0.2 activate
END
cat >/run/gobgpd.toml <<'END'
[global.config]
  as = 65002
  router-id = "192.0.2.2"
  port = 1790
  local-address-list = ["127.0.0.2"]
[[neighbors]]
  [neighbors.config]
    neighbor-address = "127.0.0.1"
    peer-as = 65001
  [neighbors.transport.config]
    local-address = "127.0.0.2"
  [neighbors.ebgp-multihop.config]
    enabled = true
    multihop-ttl = 5
  [[neighbors.afi-safis]]
    [neighbors.afi-safis.config]
      afi-safi-name = "l2vpn-evpn"
END
/usr/lib/frr/bgpd -d -n -Z -p 179 -l 127.0.0.1 -A 127.0.0.1 -S --vty_socket /run/frr \
  -i /run/frr/bgpd.pid -f /run/frr/bgpd.conf >/dev/null 2>&1
gobgpd -f /run/gobgpd.toml --api-hosts 127.0.0.1:50051 --pprof-disable >/dev/null 2>&1 &
ask() { vtysh --vty_socket /run/frr -d bgpd -c "show bgp l2vpn evpn route $1" 2>/dev/null; }
until gobgp neighbor 2>/dev/null | grep -q Establ; do sleep 0.2; done
common="rd 192.0.2.2:100 rt 65002:100 encap vxlan nexthop 192.0.2.2"
gobgp global rib add -a evpn macadv 02:00:00:00:00:04 198.51.100.9 esi 0 etag 0 label 100 $common
gobgp global rib add -a evpn multicast 192.0.2.2 etag 0 rd 192.0.2.2:100 rt 65002:100 encap vxlan pmsi ingress-repl 100 192.0.2.2 nexthop 192.0.2.2
gobgp global rib add -a evpn prefix 203.0.113.0/24 gw 0.0.0.0 esi 0 etag 0 label 5000 $common
in_table() { ask "" | grep -c '^[* ]*> *\['; }
until [ "$(in_table)" = 3 ]; do sleep 0.2; done  # the best paths are chosen a moment later
echo "$(in_table) in the table"
echo "$(ask json | grep -o '"prefix":"[^"]*"' | sort -u | wc -l) in its JSON"
echo "$(ask detail | grep -c '^BGP routing table entry for ') in detail"
ask detail | grep '^Displayed'
ask detail | sed -n 's/^BGP routing table entry for [^U]*\(Unsupported.*\)/\1/p
  s/^BGP routing table entry for .*\(\[00:00:00:00:00:00\].*\)/\1/p' | sort
INSIDE

# seen SUITE VERSION: what that release shows.
seen() {
  mmdebstrap --quiet --variant=apt --include="frr=$2,gobgpd,iproute2,mount" "$1" "$folder/$1" 2>/dev/null
  cp "$folder/inside.sh" "$folder/$1/inside.sh"
  timeout 120 unshare --net --mount --pid --fork --kill-child chroot "$folder/$1" bash /inside.sh
  rm -rf "${folder:?}/$1"
}

same="3 in the table
3 in its JSON"
older=$(seen bookworm 8.4.4-1.1~deb12u2)
newer=$(seen trixie 10.3-3+deb13u1)
printf 'frr 8.4.4\n%s\nfrr 10.3\n%s\n' "$older" "$newer"
[ "$older" = "$same
5 in detail
Displayed 3 prefixes (3 paths)
Unsupported EVPN prefix
[00:00:00:00:00:00]" ]
[ "$newer" = "$same
3 in detail
Displayed 3 prefixes (3 paths)" ]
