#!/usr/bin/env bash
# tshark 4.0 reads an LLDP frame with a DCBX application TLV (IEEE 802.1Q D.2.11) as three octets shorter
# than it is: the last octet of the last application and the End TLV are shown as a trailer, with a note on
# padding that is not zero where the frame is longer than 60 octets. 4.4 shows none.
#
# Guess: the dissector ends where the TLVs end, with every release.
# Seen with tshark 4.0.17 (Debian 12): a trailer of 3 octets behind one application and behind six.
# With 4.4.19 (Debian 13): none.
#
# Root, mmdebstrap; a package source that has the pinned releases. Takes three minutes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/inside.sh" <<'INSIDE'
set -euo pipefail
python3 - <<'PYTHON'
import struct


def tlv(kind, value):
    return struct.pack(">H", kind << 9 | len(value)) + value


# Priority 3, selector 1 (Ethernet type).
def lldp(applications):
    table = b"".join(struct.pack(">BH", 3 << 5 | 1, 0x8906 + each) for each in range(applications))
    return (bytes.fromhex("0180c200000e020000000001") + b"\x88\xcc"
            + tlv(1, b"\x04" + bytes.fromhex("020000000001")) + tlv(2, b"\x05port") + tlv(3, b"\x00\x78")
            + tlv(127, bytes.fromhex("0080c20c00") + table) + tlv(0, b""))


with open("/frames.pcap", "wb") as file:
    file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
    for applications in (1, 6):
        frame = lldp(applications)
        file.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
PYTHON
for number in 1 2; do
  echo "frame $number: trailer '$(tshark -r /frames.pcap -Y "frame.number == $number" -T fields -e eth.trailer)'"
done
INSIDE
seen=$(for release in bookworm:4.0.17-0+deb12u3 trixie:4.4.19-0+deb13u1; do
  suite=${release%%:*}
  mmdebstrap --quiet --variant=apt --include="tshark=${release#*:},python3-minimal" "$suite" "$folder/$suite"
  cp "$folder/inside.sh" "$folder/$suite/"
  echo "tshark ${release#*:}"
  unshare --net --mount --pid --fork --kill-child chroot "$folder/$suite" bash /inside.sh 2>/dev/null
done)
printf '%s\n' "$seen"
[ "$seen" = "tshark 4.0.17-0+deb12u3
frame 1: trailer '060000'
frame 2: trailer '0b0000'
tshark 4.4.19-0+deb13u1
frame 1: trailer ''
frame 2: trailer ''" ]
