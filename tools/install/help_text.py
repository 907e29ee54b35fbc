"""What a program's --help says, as parts: the manual and the completion are made from these.

The layout is CLI11's: a description, the usage, sections of two columns of which the second begins
at 30 (from 2.5 on with titles in capitals, the usage without one, and short names apart), and a text of the program's own at the end. A subcommand that has no such text of its own
shows its parent's; here it then has none."""

import dataclasses
import re
import subprocess
from typing import Iterator, Sequence

_SECOND_COLUMN = 30
_SECTIONS = ("Positionals:", "Options:", "Subcommands:")


@dataclasses.dataclass
class Entry:
    spec: str  # `--every SECONDS:FLOAT in [0.01 - 86400]=1 Needs: --watch`
    text: str

    @property
    def names(self) -> list[str]:
        """`-h,--help` are two."""
        return self.spec.split()[0].split(",")

    @property
    def choices(self) -> list[str]:
        found = re.search(r":\{([^}]*)\}", self.spec)
        return found[1].split(",") if found else []

    @property
    def value(self) -> str:
        """What an option takes, in its own word, such as SECONDS; empty: nothing."""
        words = self.spec.split()[1:]
        return re.split(r"[:=]", words[0])[0] if words and not words[0].endswith(":") else ""


@dataclasses.dataclass
class Command:
    words: list[str]  # `sluice show`
    description: str = ""
    usage: str = ""
    positionals: list[Entry] = dataclasses.field(default_factory=list)
    options: list[Entry] = dataclasses.field(default_factory=list)
    subcommands: list["Command"] = dataclasses.field(default_factory=list)
    ending: list[str] = dataclasses.field(default_factory=list)  # lines

    def all(self) -> Iterator["Command"]:
        """Itself and what is below it."""
        yield self
        for command in self.subcommands:
            yield from command.all()

    def listed(self, word: str) -> list[tuple[str, str]]:
        """What the text at the end lists under the plural of a word, NOUN under `Nouns:`, and what
        each means."""
        title = word.capitalize() + "s:"
        if title not in self.ending:
            return []
        rows = self.ending[self.ending.index(title) + 1:]
        end = rows.index("") if "" in rows else len(rows)
        return [(row.split()[0], row.strip().partition("  ")[2].strip()) for row in rows[:end]]


def _entries(lines: Sequence[str]) -> list[Entry]:
    """A first column that does not fit has its second one on the next line."""
    entries: list[Entry] = []
    for line in lines:
        if line.startswith(" " * _SECOND_COLUMN):
            entries[-1].text += (" " if entries[-1].text else "") + line.strip()
        elif len(line) > _SECOND_COLUMN and line[_SECOND_COLUMN - 1] == " " \
                and line[_SECOND_COLUMN] != " " and line[:_SECOND_COLUMN].count("  ") > 1:
            entries.append(Entry(_spec(line[:_SECOND_COLUMN]), line[_SECOND_COLUMN:]))
        else:
            entries.append(Entry(_spec(line), ""))
    return entries


def _spec(column: str) -> str:
    """`-h,     --help` is `-h,--help`, and a default in brackets is `=DEFAULT`."""
    spec = re.sub(r"^(-\w,) +", r"\1", column.strip())
    return re.sub(r"(?<! in) \[([^\]]*)\](?= |$)", r"=\1", spec, count=1)


def parse(words: list[str], text: str) -> tuple[Command, list[str]]:
    """The command, without what is below it, and the names of that."""
    lines = [line.rstrip() for line in text.splitlines()]
    command = Command(words, description=lines[0])
    at = next(n for n, line in enumerate(lines)
              if n > 0 and line.startswith(("Usage: ", " ".join(words) + " ")))
    command.usage = lines[at].removeprefix("Usage: ")
    names: list[str] = []
    at += 1
    while at < len(lines):
        title = lines[at].capitalize() if lines[at].isupper() else lines[at]
        at += 1
        if title not in _SECTIONS:
            if title:
                command.ending = lines[at - 1:]
                break
            continue
        begin = at
        while at < len(lines) and lines[at]:
            at += 1
        entries = _entries(lines[begin:at])
        if title == "Positionals:":
            command.positionals = entries
        elif title == "Options:":
            command.options = entries
        else:
            names = [entry.spec for entry in entries]
    while command.ending and not command.ending[-1]:
        command.ending.pop()
    return command, names


def read(program: str, name: str, *below: str) -> Command:
    """Of a program, with all that is below it. It is called `name`."""
    done = subprocess.run([program, *below, "--help"], capture_output=True, text=True, check=True)
    command, names = parse([name, *below], done.stdout)
    for word in names:
        command.subcommands.append(read(program, name, *below, word))
    for other in command.subcommands:
        if other.ending == command.ending:
            other.ending = []
    return command
