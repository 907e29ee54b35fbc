"""Scripts of the web page in a browser, without a switch: `call` runs one of their functions."""

import contextlib
import json
import pathlib
from typing import Any, Iterator

from browser import Browser
from namespace import Namespace
from waiting import until

PAGE = pathlib.Path(__file__).parents[3] / "control" / "http" / "page"
ADDRESS = "http://127.0.0.1:9480/"


@contextlib.contextmanager
def scripts(folder: pathlib.Path) -> Iterator[Browser]:
    namespace = Namespace("page", folder)
    namespace.start("python3", "-m", "http.server", "-b", "127.0.0.1", "-d", str(PAGE), "9480")
    browser = Browser(namespace)

    def opened() -> bool:
        browser.open(ADDRESS + "icon.svg")
        return browser.value("location.href") == ADDRESS + "icon.svg"
    until(opened, "the files are served", interval=0.2)
    yield browser
    browser.close()
    namespace.close()


def call(browser: Browser, module: str, script: str, **about: Any) -> Any:
    """Runs `script`, which may use the module as `it`, and the values given by name."""
    given = ", ".join(about)
    return browser.value(
        f"import('/{module}.js').then((it) => (({given}) => ({script}))"
        f"({', '.join(json.dumps(value) for value in about.values())}))")
