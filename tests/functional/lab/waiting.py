"""Waiting for something to become true: asked often, up to a deadline."""

import time
from typing import Callable, Optional, TypeVar

Value = TypeVar("Value")

PATIENCE = 10.0  # seconds; long, since a machine may be busy: nobody waits for it in vain


def until(ask: Callable[[], Value], what: str, seconds: float = PATIENCE,
          interval: Optional[float] = None) -> Value:
    """The first true value that `ask` returns; fails with the last one, saying what was awaited.
    `interval`: seconds between two questions, where the moment matters."""
    began = time.monotonic()
    while True:
        value = ask()
        if value:
            return value
        assert time.monotonic() < began + seconds, \
            f"not within {seconds} s: {what}; at last {value!r}"
        if interval is None:
            _wait(began)
        else:
            time.sleep(interval)


def until_equal(ask: Callable[[], Value], wanted: Value, what: str,
                seconds: float = PATIENCE) -> None:
    """Asks until the answer is `wanted`, and shows the last other answer if it never is."""
    began = time.monotonic()
    while (value := ask()) != wanted:
        assert time.monotonic() < began + seconds, \
            f"not within {seconds} s: {what}: {value!r} instead of {wanted!r}"
        _wait(began)


def _wait(began: float) -> None:
    """Until it is worth asking again: longer, up to 0.1 s, for what takes long, since many a question
    is a program that starts."""
    time.sleep(min(0.1, max(0.01, (time.monotonic() - began) / 8)))
