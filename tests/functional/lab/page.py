"""A report in one file: its data, and its page as a browser shows it after its scripts have run."""

import html.parser
import json
import pathlib
import re
import subprocess

BROWSER = "chromium-headless-shell"


class Page(html.parser.HTMLParser):
    """The text of each element of a page, such as `texts["h2"]`, and the number of canvases."""

    def __init__(self, text: str):
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self.attributes: list[tuple[str, dict]] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.attributes.append((tag, dict(attributes)))
        self.texts.setdefault(tag, []).append("")
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        for tag in set(self._open):
            self.texts[tag][-1] += data

    def count(self, tag: str, **attributes) -> int:
        return sum(1 for name, has in self.attributes
                   if name == tag and attributes.items() <= has.items())


def data_of(path: pathlib.Path):
    [text] = re.findall(r'<script type="application/json" id="data">(.*?)</script>',
                        path.read_text(), re.DOTALL)
    return json.loads(text)


def shown(path: pathlib.Path) -> Page:
    """The page once its scripts have run; that they ran to their end, its last line shows."""
    done = subprocess.run(
        [BROWSER, "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom",
         f"file://{path}"], capture_output=True, text=True, timeout=120, check=True)
    page = Page(done.stdout)
    assert page.texts["footer"][0].startswith("Sluice "), done.stderr
    return page
