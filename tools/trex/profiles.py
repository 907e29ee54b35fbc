"""Profiles: traffic patterns and the switch's settings for them. Both generators use this table.

A profile returns steps, which are run one after the other; each has a name and streams. To add a
profile, write it here and add a line to README.md; the tests read PROFILES.
"""

import dataclasses
from typing import Callable

from streams import IMIX, Stream, pause

LENGTHS = (64, 128, 256, 512, 1024, 1280, 1518)  # RFC 2544's
LOSSLESS = 3
PAUSED_BY = 0  # the port that sends pauses


@dataclasses.dataclass(frozen=True)
class Shape:
    """The settings that all streams of a run share."""
    ports: int = 2
    frame_bytes: tuple[tuple[int, int], ...] = ((64, 1),)
    quanta: int = 65535
    format: str = "afh_lite"


Steps = list[tuple[str, list[Stream]]]


@dataclasses.dataclass(frozen=True)
class Profile:
    steps: Callable[[Shape], Steps]
    about: str
    switch: dict = dataclasses.field(default_factory=dict)  # settings without a user's file
    fewest_ports: int = 2


def others(port: int, ports: int) -> list[int]:
    return [other for other in range(ports) if other != port]


def every_pair(shape: Shape, **about) -> list[Stream]:
    share = 1 / (shape.ports - 1)
    return [Stream(f"{sender}-{receiver}", sender, receiver, share=share,
                   **{"frame_bytes": shape.frame_bytes, **about})
            for sender in range(shape.ports) for receiver in others(sender, shape.ports)]


def uniform(shape: Shape) -> Steps:
    return [("uniform", every_pair(shape))]


def hot_spot(shape: Shape) -> Steps:
    """Each port sends half of its frames to port 0."""
    streams = []
    for sender in range(shape.ports):
        cold = [port for port in others(sender, shape.ports) if port != 0]
        hot = 0.5 if cold and sender != 0 else 1
        if sender != 0:
            streams.append(Stream(f"{sender}-hot", sender, 0, share=hot, may_lose=True,
                                  frame_bytes=shape.frame_bytes))
        streams += [Stream(f"{sender}-{port}", sender, port, frame_bytes=shape.frame_bytes,
                           share=(0.5 if sender != 0 else 1) / len(cold)) for port in cold]
    return [("hot-spot", streams)]


def incast(shape: Shape) -> Steps:
    return [("incast", [Stream(f"{sender}-0", sender, 0, may_lose=True,
                               frame_bytes=shape.frame_bytes)
                        for sender in range(1, shape.ports)])]


def pcp_mix(shape: Shape) -> Steps:
    return [("pcp-mix", [Stream(f"{sender}-{(sender + 1) % shape.ports}-pcp{pcp}", sender,
                                (sender + 1) % shape.ports, share=1 / 8, pcp=pcp,
                                frame_bytes=shape.frame_bytes)
                         for sender in range(shape.ports) for pcp in range(8)])]


def imix(shape: Shape) -> Steps:
    return [("imix", every_pair(shape, frame_bytes=IMIX))]


def sizes(shape: Shape) -> Steps:
    return [(f"{octets}", every_pair(shape, frame_bytes=((octets, 1),))) for octets in LENGTHS]


def addresses(shape: Shape) -> Steps:
    """1 Ki to 1 Mi stations, distributed evenly over the ports."""
    return [(f"{total:,}", every_pair(shape, addresses=total // shape.ports))
            for total in (1 << bits for bits in (10, 12, 14, 16, 18, 20))]


def vlan(shape: Shape) -> Steps:
    return [("vlan", [dataclasses.replace(one, name=f"{one.name}-vlan{number}", vlan=number,
                                          share=one.share / 2)
                      for number in (10, 20) for one in every_pair(shape)])]


def afh(shape: Shape) -> Steps:
    """Ports whose frames have Adaptive Forwarding Headers, which TRex sends as raw octets."""
    return [(shape.format, every_pair(shape, format=shape.format))]


def latency(shape: Shape) -> Steps:
    """Each pair sends a thousand timed frames a second, and other frames that are not timed."""
    timed = every_pair(shape, frame_bytes=((128, 1),), latency=True)
    return [("latency", [dataclasses.replace(one, name=f"{one.name}-timed", a_second=1000)
                         for one in timed] +
             [dataclasses.replace(one, name=f"{one.name}-bulk", pcp=1)
              for one in every_pair(shape)])]


def held_up(shape: Shape, a_second: float) -> list[Stream]:
    """Each port sends a lossless and a lossy stream to a port that pauses the lossless one."""
    both = [Stream(f"{sender}-pcp{pcp}", sender, PAUSED_BY, a_second=5000, pcp=pcp, latency=True,
                   frame_bytes=((128, 1),)) for sender in range(1, shape.ports)
            for pcp in (LOSSLESS, 0)]
    return both + [Stream("xoff", PAUSED_BY, a_second=a_second,
                          octets=pause(PAUSED_BY, (LOSSLESS,), shape.quanta))]


def pauses(shape: Shape) -> Steps:
    """Ten pauses a second, each of `quanta`, with a gap between them."""
    return [(f"{shape.quanta} quanta", held_up(shape, 10))]


def storm(shape: Shape) -> Steps:
    """Pauses without a gap, so that the switch never sends that priority to the port again."""
    return [("storm", [dataclasses.replace(one, may_lose=one.pcp == LOSSLESS)
                       for one in held_up(shape, 2000)])]


PFC = {"defaults": {"lossless": [LOSSLESS], "pfc": {"headroom": "1MiB"}},
       "buffer": {"size": "16MiB"}}
STORM = {"defaults": {"lossless": [LOSSLESS],
                      "pfc": {"headroom": "1MiB", "watchdog": {"action": "drop"}}},
         "buffer": {"size": "16MiB"}}

PROFILES = {
    "uniform": Profile(uniform, "every port to every other, evenly"),
    "hot-spot": Profile(hot_spot, "half of everything to port 0, the rest evenly", fewest_ports=3),
    "incast": Profile(incast, "every other port to port 0", fewest_ports=3),
    "pcp-mix": Profile(pcp_mix, "each port to the next, an eighth in each priority"),
    "imix": Profile(imix, "uniform, of 64, 594 and 1518 octets as 7 : 4 : 1"),
    "sizes": Profile(sizes, "uniform, of 64 to 1518 octets"),
    "addresses": Profile(addresses, "uniform, from and to 1 Ki to 1 Mi stations",
                         {"fdb": {"capacity": 1 << 20}}),
    "vlan": Profile(vlan, "uniform, half in VLAN 10, half in VLAN 20", {"vlans": [10, 20]}),
    "afh": Profile(afh, "uniform, of AFH ports (--format)", {"defaults": {"format": None}}),
    "latency": Profile(latency, "flows that are timed beside others that are not"),
    "pauses": Profile(pauses, "port 0 pauses priority 3 for --quanta, ten times a second", PFC),
    "storm": Profile(storm, "port 0 pauses priority 3 all the time", STORM),
}
