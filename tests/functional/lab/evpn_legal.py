"""What tshark finds legal of EVPN: BGP between the daemons, VXLAN between the leaves. `own` is the
leaf whose cables were listened to, both ways."""

import pathlib

from evpn_fabric import VNI, Leaf, beside
from tshark import dissected

_STRANGE = ("_ws.malformed", "_ws.expert.severity", "_ws.expert.message")
_WARNING = 0x600000  # of its severities; below are chats and notes, above are errors
_OPEN, _UPDATE, _KEEPALIVE = "1", "2", "4"
_GOOD, _NOT_PRESENT = "1", "3"  # of a checksum


def _nothing_is_wrong(rows: list[dict[str, list[str]]]) -> None:
    for row in rows:
        assert "_ws.malformed" not in row, row
        assert all(int(each) < _WARNING for each in row.get("_ws.expert.severity", [])), row


def legal_bgp(folder: pathlib.Path, frames: list[bytes], own: Leaf, others: list[Leaf]) -> None:
    next_hop = "bgp.update.path_attribute.mp_reach_nlri.next_hop.ipv4"
    rows = dissected(folder, frames, "ip.src", "ip.dst", "bgp.type", "bgp.cap.mp.afi",
                     "bgp.cap.mp.safi", "bgp.evpn.nlri.rt", "bgp.evpn.nlri.mac_addr",
                     "bgp.evpn.nlri.vni", "bgp.ext_com.tunnel_type", next_hop, *_STRANGE,
                     only="bgp")
    _nothing_is_wrong(rows)

    def values(of: list[dict[str, list[str]]], field: str) -> set[str]:
        return {value for row in of for value in row.get(field, [])}

    for other in others:
        for source, target in ((own, other), (other, own)):
            of = [row for row in rows if (row["ip.src"], row["ip.dst"]) ==
                  ([beside(source.number)], [beside(target.number)])]
            assert values(of, "bgp.type") == {_OPEN, _UPDATE, _KEEPALIVE}  # no NOTIFICATION
            for row in of:
                if _OPEN in row.get("bgp.type", []):  # L2VPN, EVPN, and nothing else
                    assert (row["bgp.cap.mp.afi"], row["bgp.cap.mp.safi"]) == (["25"], ["70"])
            assert values(of, "bgp.evpn.nlri.rt") == {"2", "3"}
            assert source.host.address in values(of, "bgp.evpn.nlri.mac_addr")
            assert values(of, "bgp.evpn.nlri.vni") == {str(VNI)}
            assert values(of, next_hop) == {source.vtep}
            assert values(of, "bgp.ext_com.tunnel_type") == {"8"}  # VXLAN


def legal_vxlan(folder: pathlib.Path, frames: list[bytes], own: Leaf, others: list[Leaf]) -> None:
    checks = ("ip.check_checksum", "udp.check_checksum")
    rows = dissected(folder, frames, "ip.src", "ip.dst", "ip.ttl", "ip.checksum.status",
                     "udp.dstport", "udp.checksum.status", "vxlan.flags", "vxlan.gbp",
                     "vxlan.reserved8", "vxlan.vni", *_STRANGE, only="ip", checks=checks)
    _nothing_is_wrong(rows)
    for row in rows:
        assert (row["udp.dstport"][0], row["ip.ttl"][0]) == ("4789", "64"), row
        assert set(row["ip.checksum.status"]) == {_GOOD}, row  # within as well
        assert row["udp.checksum.status"][0] in (_GOOD, _NOT_PRESENT), row
        # Flag I, and nothing where nothing is to be (RFC 7348, 5).
        assert (row["vxlan.flags"], row["vxlan.gbp"], row["vxlan.reserved8"], row["vxlan.vni"]) == \
            (["0x0800"], ["0"], ["0"], [str(VNI)]), row
    pairs = {(row["ip.src"][0], row["ip.dst"][0]) for row in rows}
    assert pairs == {pair for other in others
                     for pair in ((own.vtep, other.vtep), (other.vtep, own.vtep))}
