"""tools/test and tools/bench when what they build or run fails: with stubs in place of packages, of
meson and of ninja, which leave a program that does what the test is about."""

import pytest

import project
import result
from root import Root

PROJECT = "/root/sluice"

STUBS = {
    # Whatever is asked for is installed.
    "dpkg-query": "echo installed",
    # `setup FOLDER`, `introspect --tests FOLDER` and `test -C FOLDER`
    "meson": """
case $1 in
  --version) echo 1.0.1 ;;
  setup) mkdir -p "$2/meson-private" "$2/meson-logs" ;;
  introspect)
    one='[{"suite": ["sluice:unit"], "cmd": ["'$PWD/$3'/tests/unit"]}]'
    echo "${TESTS:-$one}" ;;
  test) [ -z "${RESULTS:-}" ] || echo "$RESULTS" >"$3/meson-logs/testlog.junit.xml"; exit 1 ;;
esac
""",
}

# `-C FOLDER ... TARGET`
NINJA = """
[ "${{!#}}" = build.ninja ] && exit 1
for target in "$@"; do case $target in */*)
  mkdir -p "$2/$(dirname $target)"
  printf '#!/bin/bash\\n{program}\\n' >"$2/$target"
  chmod +x "$2/$target" ;;
esac; done
{end}
"""


@pytest.fixture
def stubbed(prepared: Root) -> Root:
    project.clone(prepared, PROJECT)
    return prepared


def put(root: Root, program: str = "true", end: str = "exit 0") -> None:
    for name, text in {**STUBS, "ninja": NINJA.format(program=program, end=end)}.items():
        place = root.upper / "usr/local/bin" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/bash\n{text}\n")
        place.chmod(0o755)


def lines(done, script: str, step: str, *why: str) -> None:
    result.failed(done, script, step, *why)
    if script == "test":
        assert done.stdout.splitlines()[-1] == "0 passed, 1 failed", result.everything(done)


@pytest.fixture(params=["tools/test plain", "tools/bench machine"], ids=["test", "bench"])
def command(request) -> str:
    return request.param


def script_of(command: str) -> str:
    return command.split()[0].removeprefix("tools/")


def test_what_is_built_does_not_compile(stubbed: Root, command: str):
    put(stubbed, end="echo 'x.cc:1: error: wrong'; exit 1")
    done = stubbed.run(command, folder=PROJECT)
    lines(done, script_of(command), "building in build-tests", "status 1", "sluice-.*log")
    assert "x.cc:1: error: wrong" in done.stderr


def test_its_folder_is_somebody_s(stubbed: Root, command: str):
    put(stubbed)
    done = stubbed.run(f"mkdir build-tests && touch build-tests/thesis && {command}",
                       folder=PROJECT)
    lines(done, script_of(command), "configuring build-tests", "not a build folder of Sluice")
    result.went_well(stubbed.run("ls build-tests/thesis", folder=PROJECT))


def test_a_bench_is_killed(stubbed: Root):
    put(stubbed, program="kill -SEGV $$")
    result.failed(stubbed.run("tools/bench machine", folder=PROJECT), "bench", "the bench machine",
                "ended by SIGSEGV")


def test_a_bench_fails(stubbed: Root):
    put(stubbed, program="echo 7 of 8 >&2; exit 1")
    done = stubbed.run("tools/bench --compare README.md machine", folder=PROJECT)
    result.failed(done, "bench", "the bench machine", "status 1")
    assert "7 of 8" in done.stderr


def test_what_a_bench_prints_is_all_that_is_printed(stubbed: Root):
    put(stubbed, program="echo a row; echo a remark >&2")
    done = result.went_well(stubbed.run("tools/bench machine", folder=PROJECT))
    assert done.stdout == "a row\n" and "a remark" in done.stderr


def test_there_are_no_tests(stubbed: Root):
    put(stubbed)
    done = stubbed.run("tools/test plain", folder=PROJECT, TESTS="[]")
    lines(done, "test", "looking for tests", "no programs", "remove build-tests and run tools/test")


def test_the_tests_leave_no_results(stubbed: Root):
    put(stubbed)
    lines(stubbed.run("tools/test plain", folder=PROJECT), "test", "plain", "no results")


def test_a_test_fails(stubbed: Root):
    put(stubbed)
    results = '<testsuite><testcase name="one"><failure/></testcase></testsuite>'
    done = stubbed.run("tools/test plain", folder=PROJECT, RESULTS=results)
    lines(done, "test", "the run", "0 passed, 1 failed")
    assert "failed:  one" in done.stdout, result.everything(done)
