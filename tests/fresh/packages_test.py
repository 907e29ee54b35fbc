"""The build beside packages of the tests: it finds what it needs, and nothing else has a say."""

import pytest

import project
import result
from root import Root

PROJECT = "/root/sluice"
BEYOND = sorted(set(project.packages("test")) - set(project.packages("build")))

INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"


def test_there_are_such_packages():
    assert {"libgtest-dev", "librapidcheck-dev", "libbenchmark-dev"} <= set(BEYOND)


@pytest.mark.parametrize("package", BEYOND)
def test_one_alone_does_no_harm(built: Root, package: str):
    result.went_well(built.run(f"apt-get update -q && {INSTALL} {package}"))
    result.went_well(built.run("rm -r build && tools/build sluice-demo", folder=PROJECT))
    result.went_well(built.run("build/sluice-demo --seconds 0.2 --quiet", folder=PROJECT))
