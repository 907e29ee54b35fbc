"""A host of an EVPN network that makes addresses up: more than the FDB has room for, and more than the
leaf beside it may have of this one's. What FRR says of others is found a place for all the same.

SLUICE_SOURCES=60000 makes up more, against the capacity that nobody chose."""

import itertools
import os

from evpn_fabric import Fabric
from frames import BROADCAST, frame
from lab import Lab
from waiting import until, until_equal

SOURCES = int(os.environ.get("SLUICE_SOURCES", "4000"))
CAPACITY = min(16384, SOURCES // 4)  # the default, or less
BURST, DRIPS = 500, 20  # frames, until the table is full, and to keep it so: BGP takes its time for each
PATIENCE = 60 + SOURCES / 100  # seconds: BGP says each address twice


def stations(number: int, count: int) -> list[bytes]:
    """Frames for everybody, from stations of a leaf."""
    return [frame(f"02:00:00:{number:02x}:{place >> 8:02x}:{place & 255:02x}", BROADCAST)
            for place in range(count)]


def sources(frames: list[bytes]) -> set[str]:
    return {octets[6:12].hex(":") for octets in frames}


def test_made_up_sources_keep_no_remote_address_out(lab: Lab):
    fabric = Fabric(lab, 2, fdb={"capacity": CAPACITY, "ageing": "20s"}).start()
    one, two = fabric.leaves
    flood, before, after = stations(0xfd, SOURCES), stations(2, 20), stations(3, 20)
    victim, liar = two.host.wire(), one.host.wire()

    def are_remote(frames: list[bytes]) -> bool:
        victim.send(*frames)  # they live, whatever else ages
        return sources(frames) <= set(one.remote())
    until(lambda: are_remote(before), "what came first is remote", PATIENCE)
    made_up = itertools.cycle(flood)

    def lie(count: int) -> None:
        liar.send(*itertools.islice(made_up, count))

    def is_full() -> bool:
        lie(BURST)
        victim.send(*before)
        return len(one.switch.show("fdb")) >= 0.9 * CAPACITY
    until(is_full, "the table is full", PATIENCE)

    def found_a_place() -> bool:
        lie(DRIPS)
        return are_remote([*before, *after])
    until(found_a_place, "they take the places of learned ones", PATIENCE)
    # Neither end has more than its share of what the other says, and each such address is counted once.
    assert one.network()["left_out"] == 0
    assert two.network()["left_out"] <= SOURCES

    # When nobody lies any more the tables are as they would be without: nothing is left out for good.
    until_equal(lambda: are_remote([*before, *after]) and one.network()["local_addresses"], 0,
                "what was made up has aged", PATIENCE + 40)
    until_equal(lambda: two.network()["left_out"], 0, "nothing is left out", PATIENCE)
    until(lambda: are_remote([*before, *after]) and not sources(flood) & set(two.remote()),
          "it is withdrawn, and the others are not", PATIENCE)
    assert one.switch.show("evpn")["refused"] == two.switch.show("evpn")["refused"] == 0
    one.host.ping(two.host.ipv4)
