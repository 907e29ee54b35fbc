"""Parses the --help of a program: the manual and the completion are made from its parts.

The layout is that of CLI11: a description, the usage, sections of two columns, the second of which
begins at column 30, and a text of the program at the end. From CLI11 2.5 on, titles are in
capitals, the usage has no title, and short names are apart. A subcommand without a text of its own
shows the text of its parent; here it then has none."""

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
        """Returns the names of an option: `-h,--help` has two."""
        return self.spec.split()[0].split(",")

    @property
    def choices(self) -> list[str]:
        found = re.search(r":\{([^}]*)\}", self.spec)
        return found[1].split(",") if found else []

    @property
    def value(self) -> str:
        """Returns the word for the value of an option, such as SECONDS; empty: no value."""
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
        """Returns the command and all commands below it."""
        yield self
        for command in self.subcommands:
            yield from command.all()

    def listed(self, word: str) -> list[tuple[str, str]]:
        """Returns the words, with their help, that the last text lists under the plural of `word`,
        such as NOUN under `Nouns:`."""
        title = word.capitalize() + "s:"
        if title not in self.ending:
            return []
        rows = self.ending[self.ending.index(title) + 1:]
        end = rows.index("") if "" in rows else len(rows)
        return [(row.split()[0], row.strip().partition("  ")[2].strip()) for row in rows[:end]]


def _entries(lines: Sequence[str]) -> list[Entry]:
    """Joins lines: if the first column is too long, the second is on the next line."""
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
    """Converts `-h,     --help` to `-h,--help`, and a default in brackets to `=DEFAULT`."""
    spec = re.sub(r"^(-\w,) +", r"\1", column.strip())
    return re.sub(r"(?<! in) \[([^\]]*)\](?= |$)", r"=\1", spec, count=1)


def parse(words: list[str], text: str) -> tuple[Command, list[str]]:
    """Returns the command without its subcommands, and the names of these."""
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
    """Returns the command `name` of a program, with all commands below it."""
    done = subprocess.run([program, *below, "--help"], capture_output=True, text=True, check=True)
    command, names = parse([name, *below], done.stdout)
    for word in names:
        command.subcommands.append(read(program, name, *below, word))
    for other in command.subcommands:
        if other.ending == command.ending:
            other.ending = []
    return command
