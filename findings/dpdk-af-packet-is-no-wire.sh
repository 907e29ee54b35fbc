#!/usr/bin/env bash
# DPDK's net_af_packet passes frames on that are not those that came: every VLAN tag leaves as 802.1Q, also
# where it was 802.1ad (0x88A8), and a large datagram in IPv4 fragments does not leave at all.
#
# Guess: testpmd (io forwarding) is a wire, so each frame leaves as it came in.
# Seen with DPDK 22.11.11 (Debian 12):
#   88a8 0005 leaves as 8100 0005, 88a8 0005 8100 0006 as 8100 0005 8100 0006. The kernel takes the outer
#   tag out of the frame and puts its TPID into tp_vlan_tpid of the ring's slot; the driver reads
#   tp_vlan_tci alone and inserts 0x8100.
#   Of a UDP datagram of 2,000 octets in three IPv4 fragments nothing leaves, of the same in two IPv6
#   fragments both do. The driver joins a fanout group with PACKET_FANOUT_FLAG_DEFRAG even with one
#   queue, so the kernel puts IPv4 fragments together first, and the datagram is too long to be sent.
#
# Root, mmdebstrap, iproute2; a package source that has the pinned release. Takes a minute.
set -euo pipefail

pinned=22.11.11-0+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="dpdk-dev=$pinned,python3-scapy,iproute2,ethtool,mount" \
  bookworm "$folder/root"
cat >"$folder/root/inside.sh" <<'INSIDE'
set -euo pipefail
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
for side in a b; do
  ip link add ${side}0 type veth peer name ${side}1
  for end in ${side}0 ${side}1; do
    # Octets and tags are sent as they are written.
    ethtool -K $end tx off rxvlan off txvlan off gro off >/dev/null 2>&1
    ip link set $end up
  done
done
mkfifo /input
dpdk-testpmd --no-huge -m 512 --no-pci --no-shconf -l 0,1 --vdev net_af_packet0,iface=a0 \
  --vdev net_af_packet1,iface=b0 -- --total-num-mbufs=16384 --forward-mode=io --auto-start \
  </input >/log 2>&1 &
exec 3>/input
for _ in $(seq 100); do grep -q "Press enter to exit" /log && break; sleep 0.2; done
python3 - <<'PYTHON'
import time

from scapy.all import (ARP, AsyncSniffer, Dot1AD, Dot1Q, Ether, IP, IPv6, IPv6ExtHdrFragment, UDP,
                       fragment, fragment6, sendp)

def beyond(frames):
    sniffer = AsyncSniffer(iface="b1", lfilter=lambda seen: seen.src == "02:00:00:00:00:01")
    sniffer.start()
    time.sleep(1)
    for frame in frames:
        sendp(frame, iface="a1", verbose=False)
    time.sleep(1)
    return [bytes(seen) for seen in sniffer.stop()]

station = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
for tags in (Dot1AD(vlan=5), Dot1AD(vlan=5) / Dot1Q(vlan=6)):
    sent = station / tags / ARP(pdst="198.51.100.1")
    print("tags:", bytes(sent)[12:20].hex(" ", 2), "->",
          *(seen[12:20].hex(" ", 2) for seen in beyond([sent])))
datagram = UDP(sport=4000, dport=5000) / bytes(2000)
for packets in (fragment(IP(src="198.51.100.1", dst="198.51.100.2", id=7) / datagram, 1000),
                fragment6(IPv6(src="2001:db8::1", dst="2001:db8::2") / IPv6ExtHdrFragment(id=9)
                          / datagram, 1280)):
    print(f"fragments of IPv{packets[0].version}: {len(packets)} ->",
          len(beyond([station / packet for packet in packets])))
PYTHON
INSIDE
seen=$(unshare --net --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)
printf 'net_af_packet of DPDK %s\n%s\n' "$pinned" "$seen"
[ "$seen" = "tags: 88a8 0005 0806 0001 -> 8100 0005 0806 0001
tags: 88a8 0005 8100 0006 -> 8100 0005 8100 0006
fragments of IPv4: 3 -> 0
fragments of IPv6: 2 -> 2" ]
