"""A collector of datagrams, of sFlow or IPFIX: a UDP socket in the switch's namespace, and what tshark
makes of what came."""

import json
import pathlib
import socket
from typing import Iterable

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import PcapWriter

from namespace import Namespace, run
from system_calls import SO_RCVBUFFORCE

STRANGE = ("_ws.expert.message", "_ws.malformed")


class UdpCollector:
    def __init__(self, namespace: Namespace, folder: pathlib.Path, port: int, dissector: str):
        with namespace.entered():
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        self._socket.bind(("127.0.0.1", port))
        self._socket.setblocking(False)
        self._port = port
        self._dissector = dissector
        self.endpoint = f"127.0.0.1:{port}"
        self.file = str(folder / f"collected{port}.pcap")
        self.datagrams: list[bytes] = []

    def close(self) -> None:
        self._socket.close()

    def receive_all(self) -> int:
        """Datagrams so far."""
        while True:
            try:
                self.datagrams.append(self._socket.recv(65536))
            except BlockingIOError:
                return len(self.datagrams)

    def decode(self, names: Iterable[str]) -> list[dict[str, list[str]]]:
        """The values of each field, a datagram each; none of them is strange to tshark."""
        self.receive_all()
        if not self.datagrams:
            return []
        with PcapWriter(self.file) as capture:
            for octets in self.datagrams:
                capture.write(Ether() / IP(src="127.0.0.1", dst="127.0.0.1") /
                              UDP(sport=self._port, dport=self._port) / Raw(octets))
        words = [word for field in (*names, *STRANGE) for word in ("-e", field)]
        said = run("tshark", "-n", "-r", self.file, "-d", f"udp.port=={self._port},{self._dissector}",
                   "-T", "json", *words)
        layers = [packet["_source"]["layers"] for packet in json.loads(said.stdout)]
        assert len(layers) == len(self.datagrams)
        for layer in layers:
            assert not [layer[field] for field in STRANGE if field in layer], layer
        return layers
