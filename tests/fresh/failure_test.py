"""What can go wrong on a stranger's machine: each ends with a last line that says at which step,
why, and what to do."""

import pytest

import project
import result
from root import Root

PROJECT = "/root/sluice"
ALL_SCRIPTS = ["packages build", "build", "demo", "test", "bench"]

# A package of the build that nothing else there needs.
ONE_IS_MISSING = "dpkg --purge --force-depends libjs-chart.js >/dev/null\n"


@pytest.fixture
def cloned(prepared: Root) -> Root:
    project.clone(prepared, PROJECT)
    return prepared


# --- disks ----------------------------------------------------------------------------------------
def test_the_disk_of_the_project_is_full(cloned: Root):
    done = cloned.run("""
        set -e
        mkdir small
        mount -t tmpfs -o size=64m none small
        cp -a sluice small/
        cd small/sluice
        head -c $(($(stat -f -c '%a * %S' .) - 300000)) /dev/zero >../other
        tools/build sluice-demo
        """)
    result.failed(done, "build", "(configuring|building in) build", "a disk is full", "/root/small",
                "make room")


def test_the_disk_of_the_packages_is_full(minimal: Root):
    done = minimal.run("mount -t tmpfs -o size=40m none /var/cache/apt && tools/demo",
                       folder=PROJECT)
    result.failed(done, "packages", "installing .*", "a disk is full", "/var/cache/apt", "make room")


def test_there_is_no_room_for_temporary_files(cloned: Root):
    done = cloned.run("""
        mount -t tmpfs -o size=64k none /tmp
        cat /dev/zero >/tmp/other 2>/dev/null
        tools/build sluice-demo
        """, folder=PROJECT)
    result.failed(done, "build", "(configuring|building in) build", "a disk is full", "on /tmp",
                "make room")


def test_the_project_may_only_be_read(cloned: Root):
    done = cloned.run("mount --bind . . && mount -o remount,ro,bind . && cd . && tools/demo",
                      folder=PROJECT)
    result.failed(done, "build", "configuring build", "may not write", PROJECT, "copy of your own")


# --- memory ---------------------------------------------------------------------------------------
def test_the_compiler_gets_no_memory(built: Root):
    done = built.run("rm build/tools/gen/sluice-demo.p/*.o && ulimit -v 120000 && "
                     "tools/build sluice-demo", folder=PROJECT, CCACHE_DISABLE="1")
    result.failed(done, "build", "building in build", "memory", "SLUICE_JOBS=1")


# --- packages -------------------------------------------------------------------------------------
@pytest.mark.parametrize("script", ALL_SCRIPTS)
def test_no_package_source_answers(minimal: Root, script: str):
    done = minimal.run(f"tools/{script}", folder=PROJECT, network=False)
    result.failed(done, "packages", "installing .*", "no package source", "network")


def test_no_package_source_answers_any_more(cloned: Root):
    done = cloned.run(f"{ONE_IS_MISSING} tools/build", folder=PROJECT, network=False)
    result.failed(done, "packages", "installing .*", "no package source", "network")


def test_somebody_else_installs_packages(cloned: Root):
    done = cloned.run(ONE_IS_MISSING + """
        python3 -c '
        import fcntl, time
        lock = open("/var/lib/dpkg/lock-frontend", "w")
        fcntl.lockf(lock, fcntl.LOCK_EX)
        print("locked", flush=True)
        time.sleep(1000)' >/tmp/said &
        until [ -s /tmp/said ]; do sleep 0.1; done
        tools/packages build
        """.replace("\n        ", "\n"), folder=PROJECT)
    result.failed(done, "packages", "installing .*", r"process \d+ \(python3\)", "wait until it")


def test_an_installation_was_interrupted(cloned: Root):
    # What dpkg was about to write into its status file.
    done = cloned.run(f"{ONE_IS_MISSING} dpkg-query -s meson >/var/lib/dpkg/updates/0001\n"
                      "tools/packages build", folder=PROJECT)
    result.failed(done, "packages", "installing .*", "was interrupted", "dpkg --configure -a")
    result.went_well(cloned.run("dpkg --configure -a && tools/packages build", folder=PROJECT))


def test_this_is_no_debian(minimal: Root):
    done = minimal.run("rm /usr/bin/dpkg-query && tools/demo", folder=PROJECT)
    result.failed(done, "packages", "looking for packages", "Debian")


# --- DPDK -----------------------------------------------------------------------------------------
DPDK_PC = "/usr/lib/x86_64-linux-gnu/pkgconfig/libdpdk.pc"
LOCAL_PC = "/usr/local/lib/x86_64-linux-gnu/pkgconfig"


@pytest.mark.parametrize("file, package", [
    (DPDK_PC, "libdpdk-dev"),
    ("/usr/lib/x86_64-linux-gnu/pkgconfig/libdpdk-libs.pc", "libdpdk-dev"),
    ("/usr/sbin/bpftool", "bpftool"),
])
def test_a_package_is_there_by_half(cloned: Root, file: str, package: str):
    done = cloned.run(f"rm {file}; tools/build sluice-demo", folder=PROJECT)
    result.failed(done, "build", "configuring build", "not found", "is missing",
                  f"apt-get install --reinstall {package}")


def test_a_local_dpdk_that_is_too_old(each_prepared: Root):
    done = each_prepared.run(f"mkdir -p {LOCAL_PC}; sed 's/^Version:.*/Version: 20.11.1/' {DPDK_PC} "
                             f">{LOCAL_PC}/libdpdk.pc; tools/build sluice-demo", folder=PROJECT)
    result.failed(done, "build", "configuring build", "two DPDKs", f"20.11.1 in {LOCAL_PC}",
                  "remove the first", "PKG_CONFIG_PATH=/usr/lib/x86_64-linux-gnu/pkgconfig")


# --- build folders --------------------------------------------------------------------------------
@pytest.mark.parametrize("script", ["build", "demo"])
def test_a_folder_of_that_name_is_somebody_s(cloned: Root, script: str):
    done = cloned.run(f"mkdir build && echo much work >build/thesis && tools/{script}",
                      folder=PROJECT)
    result.failed(done, "build", "configuring build", "/root/sluice/build is not a build folder")
    assert cloned.run("cat build/thesis", folder=PROJECT).stdout == "much work\n"


# --- the programs ---------------------------------------------------------------------------------
def test_the_demo_is_killed(built: Root):
    # Once it has had two seconds of CPU.
    done = built.run("ulimit -t 2; tools/demo", folder=PROJECT)
    result.failed(done, "demo", "the demo", "build/sluice-demo was ended by SIG(XCPU|KILL)")


def test_the_demo_is_damaged(built: Root):
    done = built.run("truncate -s 5000 build/tools/gen/sluice-demo; tools/demo", folder=PROJECT)
    result.failed(done, "demo", "the demo", "build/sluice-demo", "remove build and run tools/demo again")
