#!/usr/bin/env bash
# DPDK's net_af_packet lets no large fragmented IPv4 datagram through, since the kernel puts fragments
# together first; IPv6 fragments pass.
#
# Guess: a switch of layer 2 sees fragments as any other frames, so testpmd (io forwarding) passes them.
# Seen with DPDK 22.11.11 (Debian 12): of a UDP datagram of 2,000 octets in three IPv4 fragments nothing
# leaves, of the same in two IPv6 fragments both do. The driver joins a fanout group with
# PACKET_FANOUT_FLAG_DEFRAG even with one queue; the joined datagram is longer than its slot and is
# cut, or longer than what the other interface takes.
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

from scapy.all import (AsyncSniffer, Ether, IP, IPv6, IPv6ExtHdrFragment, UDP, fragment, fragment6,
                       sendp)

def beyond(packets):
    sniffer = AsyncSniffer(iface="b1", lfilter=lambda seen: seen.src == "02:00:00:00:00:01")
    sniffer.start()
    time.sleep(1)
    for packet in packets:
        sendp(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / packet, iface="a1",
              verbose=False)
    time.sleep(1)
    return f"{len(packets)} sent, {len(sniffer.stop())} received"

datagram = UDP(sport=4000, dport=5000) / bytes(2000)
print("IPv4:", beyond(fragment(IP(src="198.51.100.1", dst="198.51.100.2", id=7) / datagram, 1000)))
print("IPv6:", beyond(fragment6(IPv6(src="2001:db8::1", dst="2001:db8::2") / IPv6ExtHdrFragment(id=9)
                                / datagram, 1280)))
PYTHON
INSIDE
seen=$(unshare --net --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)
printf 'net_af_packet of DPDK %s\n%s\n' "$pinned" "$seen"
grep -q '^IPv4: 3 sent, 0 received$' <<<"$seen"
grep -q '^IPv6: 2 sent, 2 received$' <<<"$seen"
