#!/usr/bin/env bash
# Scapy reads the times of a pcapng file without the offset of their interface (if_tsoffset, option 14 of
# an Interface Description Block), decades off: tcpdump, tshark and dpkt add it.
#
# Guess: who knows if_tsresol, which scapy does down to powers of two, knows if_tsoffset as well.
# Seen with scapy 2.5.0 (Debian 12): of a frame at 1,700,000,000 s of offset and 1,500,000 us, the other
# three say 1700000001.5 and scapy 1.5. Without the option all four agree, whatever the resolution. So
# frames of two interfaces of one file, one of them with an offset, can not be put in order by scapy.
#
# Root and mmdebstrap; a package source that has the pinned release. Takes a minute.
set -euo pipefail

pinned=2.5.0+dfsg-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="python3-scapy=$pinned,python3-dpkt,tcpdump,tshark" \
  bookworm "$folder/root" 2>/dev/null
cat >"$folder/root/write.py" <<'PYTHON'
from struct import pack

frame = bytes.fromhex("020000000002 020000000001 88b5") + bytes(46)


def block(kind, body):
    body += bytes(-len(body) % 4)
    return pack("<II", kind, 12 + len(body)) + body + pack("<I", 12 + len(body))


def option(code, value):
    return pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)


def write(name, options, ticks):
    interface = pack("<HHI", 1, 0, 65535) + options + option(0, b"")
    packet = pack("<IIIII", 0, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame)) + frame
    section = pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)
    with open(name, "wb") as file:
        file.write(block(0x0A0D0D0A, section) + block(1, interface) + block(6, packet))


second = 1_700_000_001
write("/offset", option(9, b"\x06") + option(14, pack("<q", second - 1)), 1_500_000)
write("/binary", option(9, b"\x8a"), second * 1024 + 512)
PYTHON
cat >"$folder/root/read.py" <<'PYTHON'
import sys

import dpkt
from scapy.all import rdpcap

with open(sys.argv[1], "rb") as file:
    print("dpkt", f"{next(iter(dpkt.pcapng.Reader(file)))[0]:.1f}")
print("scapy", f"{float(rdpcap(sys.argv[1])[0].time):.1f}")
PYTHON
seen=$(chroot "$folder/root" bash -c 'python3 /write.py
for file in offset binary; do
  echo "$file:"
  echo "tcpdump $(tcpdump -ttnr "/$file" | sed -n "1s/\(\..\).*/\1/p")"
  echo "tshark $(tshark -r "/$file" -T fields -e frame.time_epoch | sed "s/\(\..\).*/\1/")"
  python3 /read.py "/$file"
done' 2>/dev/null)
printf 'scapy %s\n%s\n' "$pinned" "$seen"
[ "$seen" = "offset:
tcpdump 1700000001.5
tshark 1700000001.5
dpkt 1700000001.5
scapy 1.5
binary:
tcpdump 1700000001.5
tshark 1700000001.5
dpkt 1700000001.5
scapy 1700000001.5" ]
