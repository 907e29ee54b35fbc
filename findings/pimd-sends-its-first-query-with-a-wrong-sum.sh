#!/usr/bin/env bash
# The first IGMPv3 query that pimd sends by an interface has a wrong checksum, so no host answers it; from
# the second on, 15 seconds later, they are right.
#
# Guess: all queries have right checksums; if one had not, all would.
# Seen with pimd 2.3.2 (Debian 12): the first general query is 1164ee9b00000000020c0000, whose sum is that of
# a query without its QRV and QQIC (02 0c), the next ones 1164ec8f00000000020c0000, which is right.
#
# Root, mmdebstrap, iproute2; a package source that has the pinned release. Takes two minutes.
set -euo pipefail

pinned=2.3.2-3+b2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="pimd=$pinned,python3-scapy,iproute2,mount" bookworm "$folder/root"
cat >"$folder/root/inside.sh" <<'INSIDE'
set -euo pipefail
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
ip link set lo up
ip link add wire type veth peer name beyond
ip link set wire up
ip link set beyond up
ip addr add 198.51.100.1/24 dev wire
echo "phyint wire enable" >/etc/pimd.conf
python3 - <<'PYTHON'
import subprocess
import time

from scapy.all import IP, AsyncSniffer


def is_right(message):
    total = sum(int.from_bytes(message[at:at + 2], "big") for at in range(0, len(message), 2))
    return total % 0xffff == 0


sniffer = AsyncSniffer(iface="beyond", lfilter=lambda seen: IP in seen and seen[IP].proto == 2)
sniffer.start()
time.sleep(1)
router = subprocess.Popen(["pimd", "-f", "-c", "/etc/pimd.conf"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
time.sleep(40)
router.terminate()
router.wait()
queries = []
for seen in sniffer.stop():
    packet = bytes(seen)[14:]
    message = packet[4 * (packet[0] & 15):int.from_bytes(packet[2:4], "big")]
    if message[0] == 0x11:
        queries.append(message)
for number, query in enumerate(queries[:3], 1):
    print(f"query {number}: {query.hex()}, its sum is {'right' if is_right(query) else 'wrong'}")
late = bytearray(queries[0])
late[8:10] = b"\0\0"
print(f"the sum of the first without its QRV and QQIC: {'right' if is_right(late) else 'wrong'}")
PYTHON
INSIDE
seen=$(unshare --net --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)
printf 'pimd %s\n%s\n' "$pinned" "$seen"
[ "$seen" = "query 1: 1164ee9b00000000020c0000, its sum is wrong
query 2: 1164ec8f00000000020c0000, its sum is right
query 3: 1164ec8f00000000020c0000, its sum is right
the sum of the first without its QRV and QQIC: right" ]
