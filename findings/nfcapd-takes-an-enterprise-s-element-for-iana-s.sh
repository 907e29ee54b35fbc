#!/usr/bin/env bash
# nfcapd (nfdump) does not look at the enterprise number of an IPFIX information element (RFC 7011, 3.2): it
# takes element 12 of an enterprise that it does not know for IANA's element 12, destinationIPv4Address, and
# keeps a counter of 8 octets as an address of 4.
#
# Guess: elements of an unknown enterprise are skipped by their length, as RFC 7011 (9) says of collectors.
# Seen with nfdump 1.7.1 (Debian 12): a record with the counters 5 and 6, both element 12, of two
# enterprises, is a flow to 0.0.0.5.
#
# Root, mmdebstrap; a package source that has the pinned release. Takes a minute.
set -euo pipefail

pinned=1.7.1-2+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="nfdump=$pinned,python3-minimal,iproute2" bookworm "$folder/root"
cat >"$folder/root/inside.sh" <<'INSIDE'
set -euo pipefail
ip link set lo up
mkdir /flows
nfcapd -w /flows -b 127.0.0.1 -p 4739 -t 300 >/dev/null 2>&1 &
collector=$!
sleep 1
python3 - <<'PYTHON'
import socket
import struct
import time


def message(sequence, kind, content):
    body = struct.pack(">HH", kind, 4 + len(content)) + content
    return struct.pack(">HHIII", 10, 16 + len(body), int(time.time()), sequence, 1) + body


# Template 256: two counters of 8 octets, element 12 of the enterprises 1376256 and 1376258.
template = struct.pack(">HH", 256, 2) + b"".join(
    struct.pack(">HHI", 0x8000 | 12, 8, enterprise) for enterprise in (1376256, 1376258))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for datagram in (message(0, 2, template), message(0, 256, struct.pack(">QQ", 5, 6))):
    sender.sendto(datagram, ("127.0.0.1", 4739))
    time.sleep(0.2)
PYTHON
kill "$collector"
wait "$collector" || true
nfdump -R /flows -q -o 'fmt:a flow to %da'
INSIDE
seen="nfdump $pinned
$(unshare --net --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)"
printf '%s\n' "$seen"
[ "$(printf '%s' "$seen" | tr -s ' ')" = "nfdump $pinned
a flow to 0.0.0.5" ]
