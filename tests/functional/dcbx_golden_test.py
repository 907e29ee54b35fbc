"""The golden TLVs of DCBX, which the codecs are held to, as decoders see them that are not ours:
tshark knows the final standard and CEE, scapy what is common to all TLVs. Neither knows 0409v3."""

import pathlib

import pytest

import tshark
from scapy.contrib.lldp import LLDPDU, LLDPDUGenericOrganisationSpecific
from scapy.layers.l2 import Ether

FOLDER = pathlib.Path(__file__).parents[1] / "support/dcbx_golden"
GOLDEN = sorted(path.stem for path in FOLDER.glob("*.hex"))
BEFORE = bytes.fromhex("0180c200000e 020000000001 88cc  0207 04 020000000001"
                       "0403 07 7031  0602 0079")
END = bytes(2)


def octets(name: str) -> bytes:
    lines = (FOLDER / f"{name}.hex").read_text().splitlines()
    return bytes.fromhex("".join(line for line in lines if not line.startswith("#")))


def lldp_frame(name: str) -> bytes:
    return BEFORE + octets(name) + END


def test_every_golden_file_is_here():
    assert len(GOLDEN) == 20


@pytest.mark.parametrize("name", GOLDEN)
def test_scapy_finds_the_tlv(name: str):
    tlv = octets(name)
    frame = Ether(lldp_frame(name))
    assert frame.haslayer(LLDPDU) or frame.haslayer(LLDPDUGenericOrganisationSpecific)
    found = frame[LLDPDUGenericOrganisationSpecific]
    assert (found.org_code, found.subtype) == (int.from_bytes(tlv[2:5], "big"), tlv[5])
    assert found._length == len(tlv) - 2
    assert bytes(found.data) == tlv[6:]


ETS = "lldp.dcbx.ieee.ets"
DECODED = {
    "ieee_congestion": {f"lldp.ieee.802_1qau.cnpv.prio{n}": int(n in (3, 4)) for n in range(8)}
    | {f"lldp.ieee.802_1qau.ready.prio{n}": int(n == 3) for n in range(8)},
    "ieee_ets": {
        "lldp.dcbx.ieee.willing": 1, f"{ETS}.cbs": 0, f"{ETS}.maxtcs": 3,
        **{f"lldp.dcbx.feature.pg.pgid_prio{n}": c for n, c in enumerate((0, 0, 0, 1, 0, 0, 2, 2))},
        **{f"lldp.dcbx.feature.pg.per{n}": b for n, b in enumerate((40, 60, 0, 0, 0, 0, 0, 0))},
        **{f"{ETS}.tsa{n}": s for n, s in enumerate((2, 2, 0, 0, 0, 0, 0, 0))}},
    "ieee_ets_eight": {
        "lldp.dcbx.ieee.willing": 0, f"{ETS}.cbs": 1, f"{ETS}.maxtcs": 0,
        **{f"lldp.dcbx.feature.pg.pgid_prio{n}": n for n in range(8)},
        **{f"lldp.dcbx.feature.pg.per{n}": b for n, b in enumerate((10, 15, 25, 50, 0, 0, 0, 0))},
        **{f"{ETS}.tsa{n}": s for n, s in enumerate((2, 2, 2, 2, 1, 0, 255, 0))}},
    "ieee_recommendation": {
        **{f"lldp.dcbx.feature.pg.per{n}": b for n, b in enumerate((30, 70, 0, 0, 0, 0, 0, 0))},
        **{f"{ETS}.tsa{n}": s for n, s in enumerate((2, 2, 0, 0, 0, 0, 0, 0))}},
    "ieee_pfc": {
        "lldp.dcbx.ieee.willing": 0, "lldp.dcbx.ieee.pfc.mbc": 0, "lldp.dcbx.ieee.pfc.numtcs": 8,
        **{f"lldp.dcbx.feature.pfc.prio{n}": int(n in (3, 4)) for n in range(8)}},
    "ieee_pfc_willing": {
        "lldp.dcbx.ieee.willing": 1, "lldp.dcbx.ieee.pfc.mbc": 1, "lldp.dcbx.ieee.pfc.numtcs": 2,
        **{f"lldp.dcbx.feature.pfc.prio{n}": int(n == 3) for n in range(8)}},
    "ieee_application": {"lldp.dcbx.ieee.app.prio": 3, "lldp.dcbx.iee.app.sf": 1,
                         "lldp.dcbx.feature.app.proto": 0x8906},
    "cee": {
        "lldp.dcbx.control.seq": 5, "lldp.dcbx.control.ack": 3,
        "lldp.dcbx.feature.willing": 1,  # of the first feature, the groups
        **{f"lldp.dcbx.feature.pg.pgid_prio{n}": g
           for n, g in enumerate((0, 0, 0, 1, 0, 0, 15, 15))},
        **{f"lldp.dcbx.feature.pg.per{n}": b for n, b in enumerate((40, 60, 0, 0, 0, 0, 0, 0))},
        "lldp.dcbx.feature.pg.numtcs": 3,
        **{f"lldp.dcbx.feature.pfc.prio{n}": int(n == 3) for n in range(8)},
        "lldp.dcbx.feature.pfc.numtcs": 2,
        "lldp.dcbx.feature.app.proto": 0x8906, "lldp.dcbx.feature.app.prio": 3},
    "cee_control": {"lldp.dcbx.control.seq": 1, "lldp.dcbx.control.ack": 0},
}


@pytest.mark.parametrize("name", DECODED)
def test_tshark_reads_what_the_codecs_read(name: str, tmp_path: pathlib.Path):
    fields = DECODED[name]
    [decoded] = tshark.decoded(tmp_path, [lldp_frame(name)], *fields, "_ws.malformed",
                               "_ws.expert.message")
    assert "_ws.malformed" not in decoded and "_ws.expert.message" not in decoded
    assert {field: int(decoded[field], 0) for field in fields} == fields
