"""What hosts say to each other, in the words of their own kernels: TCP, UDP, segments of UDP, and
frames with tags that the kernel puts beside them."""

import contextlib
import socket
import threading

from host import Host
from waiting import PATIENCE, until
from wire import Wire

_UDP_SEGMENT = 103


@contextlib.contextmanager
def opened(host: Host, family: int, kind: int, address: str, port: int = 0):
    with host.namespace.entered():
        made = socket.socket(family, kind)
    made.settimeout(PATIENCE)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with made:
        made.bind((address, port))
        yield made


def send_tcp(one: Host, two: Host, here: str, there: str, octets: bytes) -> bytes:
    """Sends `octets` by TCP. Returns those that arrive."""
    family = socket.AF_INET6 if ":" in there else socket.AF_INET
    with opened(two, family, socket.SOCK_STREAM, there, 5001) as listening, \
            opened(one, family, socket.SOCK_STREAM, here) as sending:
        listening.listen(1)
        sending.connect((there, 5001))
        accepted, _ = listening.accept()
        accepted.settimeout(PATIENCE)

        def send():
            sending.sendall(octets)
            sending.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=send)
        thread.start()
        received = bytearray()
        with accepted:
            while part := accepted.recv(1 << 16):
                received += part
        thread.join()
    return bytes(received)


def send_udp(one: Host, two: Host, here: str, there: str, *datagrams: bytes,
             segment: int = 0) -> list[bytes]:
    """Returns the datagrams that arrive; sent one at a time, so that no queue is too short."""
    family = socket.AF_INET6 if ":" in there else socket.AF_INET
    received = []
    with opened(two, family, socket.SOCK_DGRAM, there, 5002) as receiving, \
            opened(one, family, socket.SOCK_DGRAM, here) as sending:
        if segment:
            sending.setsockopt(socket.IPPROTO_UDP, _UDP_SEGMENT, segment)
        for datagram in datagrams:
            sending.sendto(datagram, (there, 5002))
            for _ in range(-(-len(datagram) // segment) if segment else 1):
                received.append(receiving.recv(1 << 16))
    return received


def behind_bridge(host: Host) -> Wire:
    """Returns a wire whose frames leave by a bridge that has the host's cable as a port."""
    ip = host.namespace.ip
    ip("link", "add", "inside", "type", "veth", "peer", "name", "bridged")
    ip("link", "add", "bridge", "type", "bridge", "forward_delay", "0")
    for port in ("bridged", "eth0"):
        ip("link", "set", port, "master", "bridge")
    for interface in ("inside", "bridged", "bridge"):
        ip("link", "set", interface, "mtu", "1508", "up")
    wire = Wire(host.namespace, "inside")
    until(lambda: "state forwarding" in host.namespace.run(
        "bridge", "link", "show", "dev", "eth0").stdout, "it forwards")
    return wire


def families(hosts: list[Host]) -> list[tuple[str, str]]:
    return [(hosts[0].ipv4, hosts[1].ipv4), (hosts[0].ipv6, hosts[1].ipv6)]
