"""Words that a script does not know: status 2, and a last line that names them."""

import pytest

import result
from root import Root

PROJECT = "/root/sluice"


@pytest.mark.parametrize("script", ["build", "test", "bench", "packages"])
def test_a_script_names_the_word(minimal: Root, script: str):
    result.refused(minimal.run(f"tools/{script} nonsense", folder=PROJECT), f"tools/{script}",
                 "nonsense")


def test_the_demo_names_the_word(built: Root):
    done = built.run("tools/demo --nonsense", folder=PROJECT)
    assert done.returncode == 2 and "--nonsense" in result.last_line(done), result.everything(done)
