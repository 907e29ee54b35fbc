#!/usr/bin/python3
"""Whether the README's demo passed here for all that it depends on: then status 0, otherwise 1.

It depends on what is committed, but for tests that it does not run and documents that it does not
read, and on the Debian that it runs in, today's, which is another one every month."""

import hashlib
import re
import sys

import debians
import project
import store

NOT_READ = re.compile(r"tests/(?!fresh/|build\.ini$)|(?!README\.md$).*\.md$")


def state() -> str:
    listed = project.git("ls-tree", "-r", "-z", project.COMMIT).split("\0")
    files = [line for line in listed if line and not NOT_READ.match(line.split("\t")[1])]
    return hashlib.sha256("\n".join([store.minimal_key(debians.STABLE), *files]).encode()).hexdigest()


def keep(state: str) -> None:
    (store.place() / "passed").write_text(state)


def kept() -> str:
    try:
        return (store.place() / "passed").read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(0 if kept() == state() else 1)
