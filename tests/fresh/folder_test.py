"""Where the project lies, and what lies there from before: the demo is built all the same."""

import pytest

import project
import result
from root import Root

PROJECT = "/root/sluice"
BUILD = "tools/build sluice-demo"

# As tools/build leaves the folder, without building anything.
CONFIGURE = "bash -c '. tools/steps.sh; configure build --buildtype=release' tools/build"


def works(root: Root, folder: str = PROJECT) -> None:
    result.went_well(root.run(BUILD, folder=folder))
    result.went_well(root.run("build/sluice-demo --seconds 0.2 --quiet", folder=folder))


def test_a_name_with_a_space_in_it(prepared: Root):
    folder = "/root/my projects/a switch"
    prepared.run("mkdir 'my projects'")
    project.clone(prepared, folder)
    works(prepared, folder)


def test_a_folder_that_was_moved(built: Root):
    result.went_well(built.run("mv sluice moved"))
    works(built, "/root/moved")


def test_a_build_of_an_older_commit(prepared: Root):
    first = project.git("log", "--format=%H", "--diff-filter=A", "--", "tools/steps.sh").split()[-1]
    project.clone(prepared, PROJECT, commit=first)
    result.went_well(prepared.run(BUILD, folder=PROJECT))
    project.clone(prepared, "/root/now")
    result.went_well(prepared.run("mv sluice/build now/ && rm -r sluice && mv now sluice"))
    works(prepared)


def test_a_build_of_another_compiler_that_is_gone(built: Root):
    result.went_well(built.run(
        "export DEBIAN_FRONTEND=noninteractive\n"
        "apt-get update -q && apt-get install -y -q --no-install-recommends g++-11"))
    result.went_well(built.run(f"rm -r build; CXX=g++-11 {CONFIGURE} && ninja -C build -j 1 "
                             "$(ninja -C build -t targets rule cpp_COMPILER | head -n 1)",
                             folder=PROJECT))
    result.went_well(built.run("dpkg --remove g++-11"))
    works(built)


def test_a_build_that_was_killed(prepared: Root):
    project.clone(prepared, PROJECT)
    done = prepared.run(f"""
        {CONFIGURE}
        CCACHE_DISABLE=1 ninja -C build >/tmp/log & ninja=$!
        until grep -q '^\\[3/' /tmp/log; do sleep 0.1; kill -0 $ninja || exit 1; done
        kill -9 -1  # everything but this shell
        wait
        test ! -e build/tools/gen/sluice-demo
        """, folder=PROJECT)
    result.went_well(done)
    works(prepared)


@pytest.mark.parametrize("damage", [
    "rm build/build.ninja",
    "rm -r build/meson-private",
    "rm build/meson-private/coredata.dat",
    ": >build/build.ninja",
    ": >build/.ninja_log; : >build/.ninja_deps",
    "find build -name '*.o' -exec truncate -s 0 {} +",
    "find build -name '*.o' -exec truncate -s 1000 {} +",
    "find build -name '*.a' -exec truncate -s 100 {} +",
    ": >build/tools/gen/sluice-demo",
    "rm build/tools/gen/sluice-demo",
    "rm build/sluice-demo",
    "rm build/made_with",
])
def test_a_build_folder_that_was_damaged(built: Root, damage: str):
    result.went_well(built.run(damage, folder=PROJECT))
    works(built)
