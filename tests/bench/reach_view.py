"""What the page of several switches (control/http/page/topology.html) takes of a browser: it, and so many
switches that it hears, each a server here that says once a second what a switch of 32 ports would.
Leaves and spines, each leaf with a link to each spine and a host at each other port. Where they pause, one
host does, and so does all that leads to it.

`known_seconds`: from opening the page until all answer; `page_ms`: processor time of the page's thread in a
second; `heap_mib`: its JavaScript's memory."""

import http.server
import json
import pathlib
import threading
import time
from typing import Callable

PAGE = pathlib.Path(__file__).resolve().parents[2] / "control" / "http" / "page"
FIRST_PORT = 9500
PORTS = 32
PRIORITIES = 8
PAUSED = 3       # that priority
SECONDS = 5.0    # watched
KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


def url_of(number: int) -> str:
    return f"http://127.0.0.1:{FIRST_PORT + number}"


class Fabric:
    """What its switches say. The first of them are spines."""

    def __init__(self, count: int, pauses: bool):
        self.count = count
        self.spines = max(count // 3, 1)
        self.pauses = pauses

    def name(self, number: int) -> str:
        return f"spine{number}" if number < self.spines else f"leaf{number - self.spines}"

    def peer(self, number: int, port: int) -> tuple[str, str]:
        """The LLDP neighbour there: chassis and port."""
        leaves = self.count - self.spines
        if number < self.spines:
            return (self.name(self.spines + port), f"p{number}") if port < leaves else ("", "")
        return (self.name(port), f"p{number - self.spines}") if port < self.spines \
            else (f"{self.name(number)}h{port}", "eth0")

    def _pfc(self, number: int, port: int, priority: int) -> dict:
        """The last port of the last leaf is paused, so that leaf pauses its spines, and these the other
        leaves, which pause their hosts."""
        last = number == self.count - 1
        to_it = f"p{self.count - self.spines - 1}"  # of a spine
        is_spine = number < self.spines
        output = to_it if is_spine else f"p{PORTS - 1}" if last else "p0"
        is_held = self.pauses and priority == PAUSED and output == f"p{port}"
        pauses = (self.pauses and priority == PAUSED and not is_held
                  and self.peer(number, port)[0] != "")
        return {"port": f"p{port}", "priority": priority, "lossless": priority == PAUSED,
                "pausing": pauses, "pausing_last_second_ns": 500_000_000 if pauses else 0,
                "paused_last_second_ns": 900_000_000 if is_held else 0, "watchdog": "off",
                "because_of": [{"output": output, "pauses": 7}] if pauses else []}

    def said(self, number: int) -> bytes:
        ports = range(PORTS)
        name = self.name(number)
        picture = {
            "ports": [{"name": f"p{port}", "link": "up", "rate_bps": 10**10, "max_frame": 1522,
                       "rx_bytes": 10**12 + port, "tx_bytes": 10**12} for port in ports],
            "pfc": [self._pfc(number, port, priority) for port in ports
                    for priority in range(PRIORITIES)],
            "lldp": [{"port": f"p{port}", "mode": "both", "chassis_id": name, "port_id": f"p{port}",
                      "system_name": name,
                      "neighbours": [{"chassis_id": chassis, "port_id": its, "system_name": chassis}
                                     for chassis, its in [self.peer(number, port)] if chassis]}
                     for port in ports],
            "dcbx": [], "drops": []}
        return b"event: show\ndata: " + json.dumps(picture).encode() + b"\n\n"


class Servers:
    """A switch each. The first has the page."""

    def __init__(self, fabric: Fabric):
        self.ended = threading.Event()
        self._servers = [self._server(fabric, number) for number in range(fabric.count)]
        for server in self._servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.ended.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def _server(self, fabric: Fabric, number: int) -> http.server.ThreadingHTTPServer:
        said, ended = fabric.said(number), self.ended
        others = [{"name": fabric.name(other), "url": url_of(other)} for other in range(fabric.count)]
        documents = {"/api/topology": json.dumps(others), "/api/show/lldp": "[]"}

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                if path == "/api/events":
                    self._begin("text/event-stream")
                    while not ended.is_set():
                        try:
                            self.wfile.write(said)
                        except OSError:
                            return
                        ended.wait(1)
                    return
                if path in documents:
                    self._begin("application/json")
                    self.wfile.write(documents[path].encode())
                    return
                file = PAGE / (path.removeprefix("/page/") if path != "/topology" else "topology.html")
                self._begin(KINDS[file.suffix])
                self.wfile.write(file.read_bytes())

            def _begin(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Access-Control-Allow-Origin", url_of(0))
                self.end_headers()

            def log_message(self, *_) -> None:
                pass
        return http.server.ThreadingHTTPServer(("127.0.0.1", FIRST_PORT + number), Answers)


def measured(bench, count: int, pauses: bool, wait_for: Callable) -> dict:
    from browser import Browser  # noqa: E402  (it wants SLUICE_BUILD)
    from namespace import Namespace  # noqa: E402
    namespace, fabric = Namespace("reach", bench.folder()), Fabric(count, pauses)
    with namespace.entered():
        servers = Servers(fabric)
    browser = Browser(namespace)

    def now(name: str) -> float:
        rows = browser.call("Performance.getMetrics")["metrics"]
        return next(row["value"] for row in rows if row["name"] == name)
    try:
        browser.call("Performance.enable", timeDomain="threadTicks")
        browser.resize(1280)
        start = time.monotonic()
        browser.open(f"{url_of(0)}/topology")
        wait_for(lambda: browser.text("#live") == "all answer", "all switches are on the page")
        known = time.monotonic() - start
        before, worked = time.monotonic(), now("TaskDuration")
        time.sleep(SECONDS)
        worked = (now("TaskDuration") - worked) / (time.monotonic() - before)
        links = browser.value("document.querySelectorAll('#map .link').length")
        assert links == fabric.spines * (count - fabric.spines), links
        return {"known_seconds": round(known, 2), "page_ms": round(1000 * worked),
                "heap_mib": round(now("JSHeapUsedSize") / 2**20)}
    finally:
        browser.close()
        servers.close()
        namespace.close()
