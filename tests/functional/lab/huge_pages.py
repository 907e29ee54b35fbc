"""The machine's huge pages of 2 MB, from which a switch takes its buffers."""

import pathlib

from waiting import until

FOLDER = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-2048kB")


def huge_pages(which: str) -> int:
    return int((FOLDER / which).read_text())


def reserved_huge_pages() -> int:
    return huge_pages("nr_hugepages")


def reserved_at_rest() -> int:
    """Once no process that is ending holds pages that were given back: such a page is surplus, and
    counts as reserved until the process is gone."""
    until(lambda: huge_pages("surplus_hugepages") == 0, "pages that were given back are free")
    return reserved_huge_pages()
