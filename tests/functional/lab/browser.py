"""A browser without a screen, driven over a pipe by the Chrome DevTools Protocol: what a page says to
its console, what is on it, and its pixels."""

import base64
import itertools
import json
import os
import select
import struct
import subprocess
import time
import zlib
from typing import Any, Optional

from namespace import Namespace
from waiting import until

PROGRAM = "chromium-headless-shell"


class Picture:
    """A PNG as Chromium writes them: 8 bits a channel, not interlaced."""

    def __init__(self, octets: bytes):
        self.octets = octets
        self.width, self.height, depth, kind, _, _, interlaced = struct.unpack(
            "!IIBBBBB", octets[16:29])
        assert (depth, interlaced) == (8, 0) and kind in (2, 6)
        self._channels = 3 if kind == 2 else 4
        self._lines = self._unfiltered(self._data(octets))

    @staticmethod
    def _data(octets: bytes) -> bytes:
        at, data = 8, b""
        while at < len(octets):
            length, kind = struct.unpack("!I4s", octets[at:at + 8])
            if kind == b"IDAT":
                data += octets[at + 8:at + 8 + length]
            at += 12 + length
        return zlib.decompress(data)

    def _unfiltered(self, data: bytes) -> list[bytearray]:
        step, length = self._channels, self.width * self._channels
        above, lines = bytearray(length), []
        sevens, eighths = (int.from_bytes(bytes([bits]) * length, "big") for bits in (0x7F, 0x80))
        for start in range(0, len(data), length + 1):
            how, line = data[start], bytearray(data[start + 1:start + 1 + length])
            if how == 2:  # of the line above, as all are of Chromium: added at once
                one, other = (int.from_bytes(of, "big") for of in (line, above))
                total = (one & sevens) + (other & sevens) ^ (one ^ other) & eighths
                line, how = bytearray(total.to_bytes(length, "big")), 0
            for at in range(length) if how else ():
                left = line[at - step] if at >= step else 0
                corner = above[at - step] if at >= step else 0
                if how == 1:
                    guess = left
                elif how == 3:
                    guess = (left + above[at]) // 2
                else:
                    far = [abs(above[at] - corner), abs(left - corner),
                           abs(left + above[at] - 2 * corner)]
                    guess = (left, above[at], corner)[far.index(min(far))]
                line[at] = (line[at] + guess) & 0xFF
            lines.append(line)
            above = line
        return lines

    def pixel(self, x: float, y: float) -> tuple[int, int, int]:
        at = int(x) * self._channels
        return tuple(self._lines[int(y)][at:at + 3])

    def colours(self) -> int:
        """Returns the number of colours: an empty page has one."""
        found: set[tuple[int, ...]] = set()
        for line in self._lines[::3]:
            found.update(zip(*(line[channel::3 * self._channels] for channel in range(3))))
        return len(found)


class Browser:
    """One page. What its console complains about is gathered in `complaints`."""

    def __init__(self, namespace: Namespace, dark: bool = False):
        self._namespace = namespace
        to_browser, self._send = os.pipe()
        self._receive, from_browser = os.pipe()
        self._process = subprocess.Popen(
            ["ip", "netns", "exec", namespace.name, "bash", "-c",
             f'exec {PROGRAM} --no-sandbox --disable-gpu --remote-debugging-pipe about:blank '
             f'3<&{to_browser} 4>&{from_browser}'],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._numbers = itertools.count(1)
        self._received = bytearray()
        self._session: Optional[str] = None
        self.complaints: list[str] = []
        self.requested: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setScrollbarsHidden", hidden=True)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        os.close(self._send)
        os.close(self._receive)

    # --- the protocol -----------------------------------------------------------------------------
    def call(self, method: str, **words: Any) -> dict:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": words}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self._next(deadline)
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self._notice(answer)

    def _next(self, deadline: float) -> dict:
        looked_at = 0  # a picture comes as some hundred pieces
        while (end := self._received.find(b"\0", looked_at)) < 0:
            looked_at = len(self._received)
            ready, _, _ = select.select([self._receive], [], [], deadline - time.monotonic())
            assert ready, "the browser does not answer"
            octets = os.read(self._receive, 1 << 20)
            assert octets, "the browser ended"
            self._received += octets
        line = bytes(self._received[:end])
        del self._received[:end + 1]
        return json.loads(line)

    def _notice(self, message: dict) -> None:
        method, about = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(str(about["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.complaints.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(str(about["entry"]))
        elif method == "Network.requestWillBeSent":
            self.requested.append(about["request"]["url"])

    # --- the page ---------------------------------------------------------------------------------
    def resize(self, width: int, height: int = 900) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def open(self, address: str) -> None:
        """What loads while the machine gets an address is given up: ERR_NETWORK_CHANGED. An IPv6
        address is one once nobody else was found to have it."""
        until(lambda: not self._namespace.ip("-6", "address", "show", "tentative"),
              "addresses are settled")
        self.call("Page.navigate", url=address)

    def value(self, script: str) -> Any:
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def text(self, selector: str) -> str:
        return self.value(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")

    def place(self, selector: str) -> dict:
        """Returns x, y, width and height of an element on the whole page."""
        return self.value(
            f"(() => {{ const it = document.querySelector({json.dumps(selector)});"
            " const box = it.getBoundingClientRect(); return {x: box.x + scrollX,"
            " y: box.y + scrollY, width: box.width, height: box.height}; })()")

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      **({"text": key} if kind == "keyDown" else {}))

    def picture(self) -> Picture:
        """Returns a picture of the whole page, beyond the window."""
        return self._picture(captureBeyondViewport=True)

    def window(self) -> Picture:
        """Returns a picture of the part that is visible without scrolling."""
        return self._picture()

    def _picture(self, **words: Any) -> Picture:
        # Without differences between lines, which are slow to decode.
        done = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True, **words)
        return Picture(base64.b64decode(done["data"]))
