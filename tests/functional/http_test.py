"""What a switch answers over HTTP: what `sluice show` says, events as they come, and nothing where
it was not asked to. A client that does not read loses its connection, and nothing else."""

import http.client
import json
import socket

import pytest

from lab import Lab
from switch import Switch
from waiting import until
from web import LISTEN, PORT, get

RINGS = [{"name": "p0", "device": "ring:looked/a"}, {"name": "p1", "device": "ring:looked/b"}]
NOUNS = ("ports", "queues", "buffer", "pfc", "drops", "fdb", "multicast", "vlan", "fabric", "lldp",
         "dcbx", "events")


@pytest.fixture
def switch(lab: Lab) -> Switch:
    return lab.make_switch(RINGS, metrics=LISTEN).start()


def dial(switch: Switch) -> socket.socket:
    with switch.namespace.entered():
        return socket.create_connection(("127.0.0.1", PORT), timeout=10)


class Stream:
    """Server-sent events, a message at a time."""

    def __init__(self, switch: Switch, path: str, **headers: str):
        self._connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
        with switch.namespace.entered():
            self._connection.connect()
        self._connection.request("GET", path, headers=headers)
        self._response = self._connection.getresponse()
        assert self._response.headers["Content-Type"] == "text/event-stream"

    def next(self) -> dict:
        fields: dict = {}
        while True:
            line = self._response.readline().decode().rstrip("\n")
            if not line and fields:
                return fields
            if line and not line.startswith(":"):
                name, value = line.split(": ", 1)
                fields[name] = json.loads(value) if name == "data" else value


def test_nothing_listens_unless_it_was_asked_to(lab: Lab):
    switch = lab.make_switch(RINGS).start()
    assert switch.namespace.run("ss", "-Hltn").stdout == ""


@pytest.mark.parametrize("more", [{}, {"all": True}])
def test_it_says_what_show_says(switch: Switch, more):
    for noun in NOUNS:
        answer = get(switch.namespace, f"/api/show/{noun}" + ("?all=true" if more else ""))
        assert (answer.status, answer.type) == (200, "application/json")
        assert json.loads(answer.text) == switch.show(noun, **more), noun


def test_events_come_as_they_happen(switch: Switch):
    stream = Stream(switch, "/api/events?since=0")
    first = stream.next()
    assert first["id"] == "1" and first["data"] == switch.show("events")[0]
    switch.command("flush", "fdb")
    assert stream.next()["data"]["kind"] == "fdb_flushed"
    again = Stream(switch, "/api/events", **{"Last-Event-ID": "1"})
    assert again.next()["id"] == "2"


def test_a_picture_comes_again_and_again(switch: Switch):
    stream = Stream(switch, "/api/events?show=ports,pfc&every=100")
    first, second = stream.next(), stream.next()
    assert first["event"] == second["event"] == "show"
    assert first["data"]["at"] < second["data"]["at"]
    assert [row["name"] for row in second["data"]["ports"]] == ["p0", "p1"]


def test_a_client_that_does_not_read_harms_nobody(switch: Switch):
    """Its socket fills, and no more than that is kept for it."""
    stuck = [dial(switch) for _ in range(16)]
    for client in stuck:
        client.sendall(b"GET /api/events?show=queues,buffer,pfc,drops&every=100 HTTP/1.1\r\n"
                       b"Host: localhost\r\n\r\n")
    for _ in range(20):
        assert get(switch.namespace, "/metrics").status == 200
    assert switch.show("ledger") is not None
    for client in stuck:
        client.close()


def test_what_is_no_request_is_refused_and_the_next_one_served(switch: Switch):
    for octets in (b"\x16\x03\x01\x02\r\n\r\n", b"GET /" + b"a" * 9000, b"POST / HTTP/1.1\r\n\r\n",
                   b"GET /metrics HTTP/1.1\r\n\r\n", b"\r\n\r\n"):
        with dial(switch) as client:
            client.sendall(octets)
            assert client.recv(65536).startswith(b"HTTP/1.1 4")
    assert get(switch.namespace, "/metrics").status == 200


def test_a_name_of_others_is_refused_on_loopback(switch: Switch):
    assert get(switch.namespace, "/metrics", {"Host": "evil.example"}).status == 421


def test_where_it_cannot_listen_it_says_so_and_does_not_start(lab: Lab):
    first = lab.make_switch(RINGS, metrics=LISTEN).start()
    second = lab.make_switch([{"device": "ring:other"}], metrics=LISTEN)
    process = second.launch()
    assert process.wait(20) == 1
    assert "metrics.listen: 127.0.0.1:9475: Address already in use; " in process.errors()
    assert until(lambda: get(first.namespace, "/metrics").status, "the first answers") == 200
