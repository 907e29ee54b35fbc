"""The Debian packages on a stranger's machine: installed, started by their units' command lines,
switched through, read by SNMP, upgraded and purged; nothing is left."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import debians
import project
import result
from root import Root
from waiting import until

# Two hosts, each behind a cable, and what units say is done by hand: no systemd runs here.
LAB = r"""
set -eu
of() { sed -n "s/^$1=//p" /lib/systemd/system/${unit:-sluice}.service; }
for n in 1 2; do
  unshare --net sleep 1000 &
  host[$n]=$!
  until [ "$(readlink /proc/${host[$n]}/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do
    sleep 0.1
  done
  ip link add sw$n type veth peer name eth0 netns ${host[$n]}
  ip link set sw$n up
  nsenter -t ${host[$n]} -n ip address add 10.0.0.$n/24 dev eth0
  nsenter -t ${host[$n]} -n ip link set eth0 up
done
start() {
  install -d -m 755 -o "$(of User)" -g "$(of Group)" "/run/$(of RuntimeDirectory)"
  capabilities=$(of AmbientCapabilities | tr A-Z a-z | sed 's/cap_/+/g; s/ /,/g')
  # shellcheck disable=SC2046
  setpriv --reuid="$(of User)" --regid="$(of Group)" --init-groups \
    --inh-caps=-all,"$capabilities" --ambient-caps=-all,"$capabilities" \
    --bounding-set=-all,"$capabilities" --no-new-privs \
    env $(of Environment) $(of ExecStart) 2>>/tmp/log &
  switch=$!
  up() { sluice show ports --json | grep -c '"link": "up"'; }
  for _ in $(seq 600); do [ "$(up 2>/dev/null)" = 2 ] && return; sleep 0.1; done
  cat /tmp/log; exit 1
}
stop() { kill -TERM $switch; wait $switch; rm -rf "/run/$(of RuntimeDirectory)"; }
switches() { nsenter -t ${host[1]} -n ping -q -c 3 -i 0.2 10.0.0.2 >/dev/null; }
# As tools/snmp/README.md says.
start_snmp() {
  printf '%s\n' 'rocommunity public' 'master agentx' \
    'agentXPerms 0660 0755 Debian-snmp sluice-snmp' >/etc/snmp/snmpd.conf
  ip link set lo up
  $(unit=snmpd of ExecStart) >>/tmp/log 2>&1 &
  snmpd=$!
  local unit=sluice-snmp
  setpriv --reuid="$(of User)" --regid="$(of Group)" --init-groups --inh-caps=-all \
    --bounding-set=-all --no-new-privs $(of ExecStart) 2>>/tmp/log &
  agent=$!
}
names() { snmpwalk -v2c -c public -Oqv 127.0.0.1 1.3.6.1.2.1.31.1.1.1.1 2>&1; }
served() {
  for _ in $(seq 300); do [ "$(names | xargs)" = "p0 p1" ] && return; sleep 0.1; done
  names; cat /tmp/log; exit 1
}
stop_snmp() { kill -TERM $agent $snmpd; wait $agent; wait $snmpd || true; }
"""

CONFIGURATION = "ports: [{device: 'DEVICE:sw1'}, {device: 'DEVICE:sw2'}]  # by its operator\n" \
                "control: {readers: sluice-snmp}\n"
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"


def of_snmp(package: pathlib.Path) -> pathlib.Path:
    """What tools/package puts beside it."""
    return package.with_name(package.name.replace("sluice_", "sluice-snmp_", 1))


def built_by(store, folder: pathlib.Path, versions: list[str]) -> pathlib.Path:
    """As tools/package builds it in a Debian that has what the build needs."""
    root = store.over_build()
    try:
        project.clone(root, "/root/sluice")
        # Some packages of the build are what tools/package adds.
        result.went_well(root.run("apt-get update -q && tools/package", folder="/root/sluice"))
        # Debian's flags come behind ours, and leave them as they are.
        flags = root.run("cat obj-*/build.ninja", folder="/root/sluice/build-package/sluice").stdout
        assert " -O3 " in flags and not re.search(r" -O\d .*(-g|-O\d) ", flags)
        versions.append(root.run(debians.VERSIONS).stdout.strip())
        [built] = (root.upper / "root/sluice/build").glob("sluice_*_amd64.deb")
        shutil.copy(of_snmp(built), folder)
        return pathlib.Path(shutil.copy(built, folder))
    finally:
        root.remove()


@pytest.fixture(scope="module")
def package(store, tmp_path_factory, versions) -> pathlib.Path:
    """Of the oldest Debian, or one that is there."""
    if "SLUICE_FRESH_PACKAGE" in os.environ:
        return pathlib.Path(os.environ["SLUICE_FRESH_PACKAGE"]).resolve()
    return built_by(store, tmp_path_factory.mktemp("package"), versions)


@pytest.fixture(scope="module")
def each_package(request, each_store, tmp_path_factory, versions) -> pathlib.Path:
    if each_store.suite == debians.OLDSTABLE:
        return request.getfixturevalue("package")
    return built_by(each_store, tmp_path_factory.mktemp("package"), versions)


def field(package: pathlib.Path, name: str) -> str:
    return subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True,
                          check=True).stdout.strip()


def later(package: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The same of a later version, whose example has changed."""
    tree = folder / f"{package.stem}.later"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: (.*)$", r"Version: \1.later", control.read_text(),
                              flags=re.M))
    example = tree / "etc/sluice/sluice.yaml"
    if example.exists():
        example.write_text(f"{example.read_text()}# More of it.\n")
    made = tree.with_suffix(".deb")
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Znone", tree, made], check=True,
                   capture_output=True)
    return made


@pytest.fixture(scope="module")
def machine_once(each_store, each_package, tmp_path_factory):
    """Debian's minimum, what the packages depend on, and snmpd; the packages in /root."""
    folder = tmp_path_factory.mktemp("later")
    root = each_store.over_minimal()
    root.takes_turns = False  # it would leave a /run/sluice
    try:
        depends = {"iproute2", "iputils-ping", "snmpd", "snmp"}
        for name, package in (("sluice", each_package), ("sluice-snmp", of_snmp(each_package))):
            for when, file in (("", package), ("later-", later(package, folder))):
                root.run_beside("cp", str(file), f"tree/root/{when}{name}.deb")
            depends |= {word.split("|")[0].split("(")[0].strip()
                        for word in field(package, "Depends").split(",")}
        result.went_well(root.run(f"apt-get update -q && {INSTALL} {' '.join(depends - {'sluice'})}"))
        yield root
    finally:
        root.remove()


@pytest.fixture
def machine(each_store, machine_once):
    root = each_store.over(machine_once)
    root.takes_turns = False
    try:
        yield root
    finally:
        root.remove()


def what_is_there(root: Root) -> set[str]:
    """Every file but what apt, dpkg and snmpd keep of their own work, and who may log in."""
    pruned = " -o ".join(f"-path {place}" for place in (
        "/proc", "/sys", "/dev", "/root", "/tmp", "/var/lib/dpkg", "/var/lib/apt", "/var/log",
        "/var/cache", "/var/lib/snmp", "/var/agentx"))
    done = result.went_well(root.run(
        f"find / -xdev \\( {pruned} \\) -prune -o -print; cat /etc/passwd /etc/group /etc/shadow; "
        "dpkg-query -W -f '${Package} ${db:Status-Status}\\n'"))
    return set(done.stdout.splitlines())


def is_of_machine_code(line: str) -> bool:
    """A word that lintian takes for a misspelled one, and that nobody wrote."""
    found = re.search(r"spelling-error-in-binary (\S+) ", line)
    return found is not None and not project.has_word(found[1])


def test_lintian_finds_nothing(each_store, each_package):
    """That of the same Debian, whose policy it knows."""
    root = each_store.over_minimal()
    try:
        for package in (each_package, of_snmp(each_package)):
            root.run_beside("cp", str(package), "tree/root/")
        result.went_well(root.run(f"apt-get update -q && {INSTALL} lintian"))
        done = root.run("lintian --allow-root --fail-on error,warning,info --display-info *.deb")
        found = [line for line in done.stdout.splitlines() if not is_of_machine_code(line)]
        assert found == [] and (done.returncode == 0 or done.stdout), done.stdout + done.stderr
    finally:
        root.remove()


@pytest.mark.parametrize("device", ["af_packet", "af_xdp"])
def test_from_nothing_to_a_switch_and_back(machine, device):
    before = what_is_there(machine)
    done = result.went_well(machine.run(f"{INSTALL} ./sluice.deb ./sluice-snmp.deb"))
    assert ".service" not in done.stdout, "they start nothing before sluice is told which ports"
    result.went_well(machine.run("sluice check /etc/sluice/sluice.yaml"))
    configuration = CONFIGURATION.replace("DEVICE", device)
    done = result.went_well(machine.run(
        f"{LAB}\necho \"{configuration.strip()}\" >/etc/sluice/sluice.yaml\n"
        "start\nstart_snmp\nswitches\nserved\n"
        # Both go on while their packages are replaced.
        "dpkg --force-confold -i /root/later-*.deb >&2\nswitches\nserved\n"
        "sluice show ledger --json\nstop\nstart\nswitches\nserved\nstop\nstop_snmp",
        network=False))
    ledger = json.loads(done.stdout)
    assert ledger["received"] > 0 and ledger["balanced"] is not False
    kept = result.went_well(machine.run("cat /etc/sluice/sluice.yaml; "
                                      "dpkg-query -W -f '${Version}' sluice")).stdout
    assert kept.startswith(configuration) and kept.endswith(".later")
    result.went_well(machine.run(
        "DEBIAN_FRONTEND=noninteractive apt-get purge -y -q sluice sluice-snmp"))
    after = what_is_there(machine)
    assert after - before == set() and before - after == set()


def test_its_switch_is_the_best_for_this_processor(package, tmp_path):
    """A processor with AVX2 runs the one for x86-64-v3, whose instructions it has, by default."""
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    code = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn",
                           tmp_path / "usr/libexec/sluice/x86-64-v3/sluiced"],
                          capture_output=True, text=True, check=True).stdout
    assert "%ymm" in code and "%zmm" not in code
    has = pathlib.Path("/proc/cpuinfo").read_text()
    best = "x86-64-v3" if " avx2 " in has and " bmi2 " in has else "x86-64-v2"
    file = tmp_path / "null.yaml"
    file.write_text("ports: [{device: 'null:'}]\n"
                    f"control: {{socket: {tmp_path}/socket, state: {tmp_path}/state}}\n")
    for level, environment in ((best, {}), ("x86-64-v2", {"SLUICE_CPU_LEVEL": "x86-64-v2"})):
        log = tmp_path / f"{level}.log"
        with log.open("w") as errors:
            switch = subprocess.Popen([tmp_path / "usr/sbin/sluiced", "-c", file], stderr=errors,
                                      env=os.environ | environment)
        until(lambda: "(the CPU has " in log.read_text(), f"the switch for {level} has started")
        program = os.readlink(f"/proc/{switch.pid}/exe")
        switch.terminate()
        assert switch.wait(60) == 0
        assert f", for {level} (the CPU has " in log.read_text()
        assert (f"/{level}/" in program) == (level != "x86-64-v2")


def test_its_programs_are_for_every_processor_that_dpdk_is_for(package, tmp_path):
    """None of the instructions that came after x86-64-v2."""
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    for name in ("usr/sbin/sluiced", "usr/bin/sluice", "usr/bin/sluice-gen"):
        code = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", tmp_path / name],
                              capture_output=True, text=True, check=True).stdout
        assert "pcmpeq" in code
        assert not re.search(r"[%](ymm|zmm)\d|\t(mulx|bzhi|pdep|pext|shlx|sarx|shrx|andn) ", code)
