#!/usr/bin/env bash
# DPDK's net_af_packet hands every VLAN tag on as 802.1Q, also where the frame had 802.1ad (0x88A8).
#
# Guess: a frame with an S-tag leaves testpmd (io forwarding) as it came in.
# Seen with DPDK 22.11.11 (Debian 12): 88a8 0005 leaves as 8100 0005, and with a C-tag behind it
# 88a8 0005 8100 0006 as 8100 0005 8100 0006. The kernel takes the outer tag out of the frame and puts its
# TPID into tp_vlan_tpid of the ring's slot; the driver reads tp_vlan_tci alone and inserts 0x8100.
# Whoever forwards provider tags through it turns them into customer tags.
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

from scapy.all import ARP, AsyncSniffer, Dot1AD, Dot1Q, Ether, sendp

def beyond(frame):
    sniffer = AsyncSniffer(iface="b1", lfilter=lambda seen: seen.src == "02:00:00:00:00:01")
    sniffer.start()
    time.sleep(1)
    sendp(frame, iface="a1", verbose=False)
    time.sleep(1)
    return [bytes(seen)[12:20].hex(" ", 2) for seen in sniffer.stop()]

station = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
payload = ARP(pdst="198.51.100.1")
print("one tag ", beyond(station / Dot1AD(vlan=5) / payload))
print("two tags", beyond(station / Dot1AD(vlan=5) / Dot1Q(vlan=6) / payload))
PYTHON
INSIDE
seen=$(unshare --net --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)
printf 'net_af_packet of DPDK %s\n%s\n' "$pinned" "$seen"
grep -q "^one tag  \['8100 0005 0806 0001'\]$" <<<"$seen"
grep -q "^two tags \['8100 0005 8100 0006'\]$" <<<"$seen"
