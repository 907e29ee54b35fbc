"""What a stranger does first: the commands of the README's first screen, as they stand there, in
each Debian, which has nothing else. The demo is asked for JSON, and of the tests one part is run."""

import json

import debians
import passed
import project
import result
from root import Root
from store import Store

PROJECT = "/root/sluice"
COMMANDS = project.first_screen()


def as_tried(command: str) -> str:
    instead = {"tools/demo": "tools/demo --json", "tools/test": "tools/test plain"}
    return instead.get(command, command)


def test_the_readme_begins_with_a_demo_and_ends_with_the_tests():
    assert COMMANDS[0] == "tools/demo" and COMMANDS[-1] == "tools/test", COMMANDS


def test_the_demos(each_store: Store, each_minimal: Root, versions: list[str]):
    state = passed.state()
    demos = [each_minimal.run(as_tried(command), folder=PROJECT) for command in COMMANDS[:-1]]
    versions.append(each_minimal.run(debians.VERSIONS).stdout.strip())
    for done in demos:
        result.went_well(done)
    shown = json.loads(demos[0].stdout.splitlines()[-1])
    assert shown["ledger_balanced"] and shown["lost"] == 0 < shown["delivered"], shown
    if each_store.suite == debians.STABLE:
        passed.keep(state)


def test_the_tests(each_minimal: Root):
    done = result.went_well(each_minimal.run(as_tried(COMMANDS[-1]), folder=PROJECT))
    passed, failed = (int(word) for word in done.stdout.splitlines()[-1].split()[::2])
    assert passed > 100 and failed == 0, result.everything(done)
