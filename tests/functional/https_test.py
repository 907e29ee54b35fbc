"""HTTP through TLS, and with a token: who is answered and who is not, by curl, a browser's way, Prometheus'
way and Python's client."""

import pathlib
import socket
import ssl
import subprocess
import sys

import pytest

from lab import Lab
from switch import Switch
from web import PORT

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/python"))

import sluice  # noqa: E402

RINGS = [{"name": "p0", "device": "ring:tls/a"}, {"name": "p1", "device": "ring:tls/b"}]
TOKEN = "0123456789abcdef-._~+/="
URL = f"https://127.0.0.1:{PORT}"


@pytest.fixture
def files(lab: Lab) -> dict:
    """A certificate of its own for 127.0.0.1, and a token."""
    made = {name: str(lab.folder / name) for name in ("certificate", "key", "token")}
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-keyout", made["key"], "-out", made["certificate"], "-days", "2", "-subj", "/CN=leaf1",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    token = pathlib.Path(made["token"])
    token.write_text(TOKEN + "\n")
    token.chmod(0o600)
    return made


def metrics_of(files: dict, address: str = "127.0.0.1") -> dict:
    return {"listen": f"{address}:{PORT}", "token_file": files["token"],
            "tls": {"certificate": files["certificate"], "key": files["key"]}}


@pytest.fixture
def switch(lab: Lab, files: dict) -> Switch:
    return lab.make_switch(RINGS, metrics=metrics_of(files)).start()


def curl(switch: Switch, files: dict, path: str, *words: str) -> tuple[int, str, str]:
    """Status, head and body."""
    with switch.namespace.entered():
        done = subprocess.run(["curl", "-sS", "-i", "--max-time", "10", "--cacert", files["certificate"],
                               *words, URL + path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    head, _, body = done.stdout.partition("\n\n")
    return int(head.split()[1]), head, body


def test_who_has_the_token_is_answered(switch: Switch, files: dict):
    for words in (["-H", f"Authorization: Bearer {TOKEN}"], ["-H", f"authorization: bearer  {TOKEN}"],
                  ["-u", f"anybody:{TOKEN}"]):
        for path in ("/metrics", "/api/show/ports", "/", "/page/main.js", "/api/openapi.json"):
            status, _, body = curl(switch, files, path, *words)
            assert status == 200 and body, (path, words)


def test_who_has_not_is_told_how_and_nothing_else(switch: Switch, files: dict):
    for words in ([], ["-H", "Authorization: Bearer"], ["-H", f"Authorization: Bearer {TOKEN}x"],
                  ["-H", f"Authorization: Bearer {TOKEN[:-1]}x"], ["-u", f"{TOKEN}:"], ["-u", "a:b"],
                  ["-H", f"Authorization: {TOKEN}"], ["-H", "Authorization: Basic !"],
                  ["-H", f"Authorization: Digest {TOKEN}"]):
        for path in ("/metrics", "/api/show/ports", "/api/events", "/", "/nothing"):
            status, head, body = curl(switch, files, path, *words)
            assert status == 401 and "metrics.token_file" in body, (path, words)
            assert 'WWW-Authenticate: Bearer realm="sluice"' in head
            assert 'WWW-Authenticate: Basic realm="sluice"' in head


def test_events_come_through_tls_as_they_happen(switch: Switch, files: dict):
    with switch.namespace.entered():
        feed = subprocess.Popen(
            ["curl", "-sSN", "--max-time", "20", "--cacert", files["certificate"], "-u", f":{TOKEN}",
             URL + "/api/events?since=0&show=ports&every=100"], stdout=subprocess.PIPE, text=True)
    try:
        seen = []
        while sum(line.startswith("event: show") for line in seen) < 5:
            seen.append(feed.stdout.readline())
            assert seen[-1], seen
        assert any('"started"' in line for line in seen)
    finally:
        feed.kill()
        feed.wait()


def test_long_heads_and_several_requests_of_one_connection(switch: Switch, files: dict):
    """A head longer than a read, and requests that come in one record of TLS."""
    context = ssl.create_default_context(cafile=files["certificate"])
    with switch.namespace.entered():
        plain = socket.create_connection(("127.0.0.1", PORT), timeout=10)
    with context.wrap_socket(plain, server_hostname="127.0.0.1") as wire:
        assert wire.version() == "TLSv1.3"
        request = (f"GET /api/topology HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
                   f"X-Long: {'x' * 6000}\r\n\r\n")
        wire.sendall((request * 2).encode())
        said = b""
        while said.count(b"HTTP/1.1 200 OK") < 2 or not said.endswith(b"[]"):
            piece = wire.recv(65536)
            assert piece, said
            said += piece


def test_who_speaks_no_tls_or_an_old_one_is_left(switch: Switch, files: dict):
    with switch.namespace.entered():
        for words in (["http://127.0.0.1:9475/metrics"],
                      ["--cacert", files["certificate"], "--tls-max", "1.1", "--ciphers",
                       "DEFAULT@SECLEVEL=0", URL + "/metrics"]):
            done = subprocess.run(["curl", "-sS", "--max-time", "10", *words], capture_output=True,
                                  text=True)
            assert done.returncode != 0 and done.stdout == ""
    assert curl(switch, files, "/metrics", "-u", f":{TOKEN}")[0] == 200


def test_pythons_client_takes_both(switch: Switch, files: dict):
    with switch.namespace.entered():
        with sluice.Switch(URL, token=TOKEN, authorities=files["certificate"]) as client:
            assert [row["name"] for row in client.show("ports")] == ["p0", "p1"]
            assert [row["name"] for row in client.show("ports", ports=["p1"])] == ["p1"]
        with pytest.raises(sluice.Refused) as refused:
            sluice.Switch(URL, token="wrong", authorities=files["certificate"]).show("ports")
        with pytest.raises(sluice.Unreachable):
            sluice.Switch(URL, token=TOKEN).show("ports")  # nobody knows who signed it
    assert "metrics.token_file" in str(refused.value)


@pytest.mark.parametrize("spoil, says", [
    (lambda files: pathlib.Path(files["token"]).chmod(0o644), "everybody on this machine may read it"),
    (lambda files: pathlib.Path(files["token"]).write_text("short"), "5 octets are not 16 to 256"),
    (lambda files: pathlib.Path(files["token"]).write_text("with a blank in it"), "other octets than"),
    (lambda files: pathlib.Path(files["token"]).unlink(), "cannot be read"),
    (lambda files: pathlib.Path(files["certificate"]).write_text("none"), "metrics.tls.certificate: "),
    (lambda files: pathlib.Path(files["key"]).write_text("none"), "metrics.tls.key: "),
    (lambda files: subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                                   "ec_paramgen_curve:P-256", "-aes256", "-pass", "pass:secret", "-out",
                                   files["key"]], check=True), "without a passphrase")])
def test_files_that_are_wrong_are_named(lab: Lab, files: dict, spoil, says: str):
    spoil(files)
    switch = lab.make_switch(RINGS, metrics=metrics_of(files))
    process = switch.launch()
    assert process.wait(20) == 1
    assert says in process.said()


def test_an_open_address_is_warned_of(lab: Lab, files: dict):
    opened = lab.make_switch(RINGS, metrics={"listen": f"0.0.0.0:{PORT}"}).start()
    assert "all who reach 0.0.0.0:9475 can read what `sluice show` shows" in opened.process.said()
    opened.stop()
    in_clear = {key: value for key, value in metrics_of(files, "0.0.0.0").items() if key != "tls"}
    clear = lab.make_switch(RINGS, metrics=in_clear).start()
    assert "without metrics.tls the token crosses the network in clear" in clear.process.said()
