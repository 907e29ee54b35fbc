"""A program that is told to end, and gives back what it took from the machine first."""

import signal
import sys


def end_in_order() -> None:
    """From now on SIGTERM ends this program as an exception does, so that `with` and `finally` run:
    by itself it ends at once, and namespaces and huge pages stay."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
