"""What `meson install` leaves: where it lies, and that each part does what an operator expects."""

import json
import os
import pathlib
import re
import select
import shutil
import socket
import subprocess
import sys
import time

import pytest

from lab import Lab
from namespace import run
from switch import program
from waiting import until, until_equal

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SLUICE_BUILD", SOURCE / "build"))
NOBODY = "65534"

sys.path.insert(0, str(SOURCE / "tools/install"))
import help_text  # noqa: E402

PROGRAMS = ["sluice", "sluice-demo", "sluice-gen", "sluice-snmp", "sluiced"]
DAEMONS = PROGRAMS[3:]


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> pathlib.Path:
    """Below it all that is installed, as for /usr/local."""
    place = tmp_path_factory.mktemp("installed")
    run("ninja", "-C", str(BUILD), "-j", "1", "installed")
    run("env", f"DESTDIR={place}", "meson", "install", "-C", str(BUILD), "--no-rebuild")
    return place


@pytest.fixture(scope="module")
def unit(root) -> pathlib.Path:
    return root / "usr/local/lib/systemd/system/sluice.service"


def lines_of(unit: pathlib.Path, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", unit.read_text(), re.M)


def test_it_lies_where_the_hierarchy_standard_says(root):
    found = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    examples = {path.name for path in (SOURCE / "config/examples").iterdir()}
    share = "usr/local/share"
    documents = {path for path in found if path.startswith(f"{share}/doc/sluice/")
                 and (SOURCE / path.removeprefix(f"{share}/doc/sluice/")).is_file()}
    assert {f"{share}/doc/sluice/tools/prometheus/sluice.rules.yaml",
            f"{share}/doc/sluice/tools/grafana/sluice.json"} < documents
    assert found - documents == {
        *(f"usr/local/sbin/{name}" for name in DAEMONS),
        *(f"usr/local/bin/{name}" for name in PROGRAMS[:3]),
        "usr/local/etc/sluice/sluice.yaml", "usr/local/lib/systemd/system/sluice.service",
        "usr/local/lib/systemd/system/sluice-snmp.service",
        "usr/local/lib/sysusers.d/sluice.conf", "usr/local/lib/sysusers.d/sluice-snmp.conf", f"{share}/doc/sluice/pci.conf",
        "usr/local/lib/python3/dist-packages/sluice.py",
        *(f"{share}/doc/sluice/examples/{name}" for name in examples),
        *(f"{share}/bash-completion/completions/{name}" for name in PROGRAMS),
        *(f"{share}/zsh/site-functions/_{name}" for name in PROGRAMS),
        *(f"{share}/fish/vendor_completions.d/{name}.fish" for name in PROGRAMS),
        f"{share}/sluice/sluice.schema.json",
        *(f"{share}/man/man1/{name}.1" for name in PROGRAMS[:3]),
        f"{share}/man/man5/sluice.yaml.5", *(f"{share}/man/man8/{name}.8" for name in DAEMONS)}


def test_the_example_is_right_and_stays_once_it_is_the_operators(root):
    example = root / "usr/local/etc/sluice/sluice.yaml"
    run(program("sluice"), "check", str(example))
    before = example.read_text()
    example.write_text("ports: [{device: ring:mine}]\n")
    run("env", f"DESTDIR={root}", "meson", "install", "-C", str(BUILD), "--no-rebuild")
    assert example.read_text() == "ports: [{device: ring:mine}]\n"
    example.write_text(before)


# --- the manual and the completion ----------------------------------------------------------------

def pages() -> list[tuple[str, str]]:
    return [("1", "sluice"), ("1", "sluice-demo"), ("1", "sluice-gen"), ("8", "sluiced"),
            ("8", "sluice-snmp"), ("5", "sluice.yaml")]


def page_of(root: pathlib.Path, section: str, name: str) -> str:
    """As a terminal shows it; what troff warns of fails."""
    shown = subprocess.run(
        ["man", "--warnings", "-l", str(root / f"usr/local/share/man/man{section}/{name}.{section}")],
        env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "500", "MAN_KEEP_FORMATTING": "",
             "PAGER": "cat", "MANROFFOPT": "-rHY=0"}, capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    return re.sub(r" +", " ", shown.stdout)


LEVELS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]


def started(sluiced: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([sluiced, "--its-words"], capture_output=True, text=True, timeout=60,
                          env=os.environ | environment)


def test_it_becomes_the_program_for_what_the_processor_has(root, tmp_path):
    """As a package has them beside it; what takes its place here says what it was given."""
    sluiced = tmp_path / "sbin/sluiced"
    sluiced.parent.mkdir()
    shutil.copy(root / "usr/local/sbin/sluiced", sluiced)
    assert started(sluiced).stderr.startswith("sluiced: --config is required"), "it is alone"
    refused = started(sluiced, SLUICE_CPU_LEVEL="x86-64-v5")
    assert refused.returncode == 2 and "use one of x86-64-v4 x86-64-v3" in refused.stderr
    for level in LEVELS:
        other = tmp_path / "libexec/sluice" / level / "sluiced"
        other.parent.mkdir(parents=True)
        other.write_text(f"#!/bin/sh\necho {level} $$ $*\n")
        other.chmod(0o755)
    become = [started(sluiced, SLUICE_CPU_LEVEL=level).stdout for level in LEVELS]
    # Of its own level, and of those that this processor has not, nothing is put in its place.
    for level, said in zip(LEVELS, become):
        assert said == "" or re.fullmatch(rf"{level} \d+ --its-words\n", said)
    assert any(become)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_manual_says_all_that_help_says(root, name):
    page = page_of(root, "8" if name in DAEMONS else "1", name)
    commands = list(help_text.read(program(name), name).all())
    assert len(commands) > 1 or name != "sluice"
    for command in commands:
        options = command.options if command is commands[0] else command.options[1:]
        for entry in [*command.positionals, *options]:
            assert re.sub(r" +", " ", entry.spec) in page, f"{command.words}: {entry.spec}"
            assert re.sub(r" +", " ", entry.text) in page, f"{command.words}: {entry.text}"
        for line in command.ending:
            assert re.sub(r" +", " ", line.strip()) in page, f"{command.words}: {line}"


def test_files_name_the_schema_for_editors(root):
    schema = "/usr/local/share/sluice/sluice.schema.json"
    assert json.loads((root / schema[1:]).read_text())["title"].startswith("Configuration of Sluice")
    files = [root / "usr/local/etc/sluice/sluice.yaml",
             *(root / "usr/local/share/doc/sluice/examples").iterdir()]
    assert len(files) > 20
    for file in files:
        assert file.read_text().startswith(f"# yaml-language-server: $schema={schema}\n"), file


def test_the_manual_has_every_key(root):
    page = page_of(root, "5", "sluice.yaml")
    table = (SOURCE / "config/README.md").read_text().split("\n## Keys\n")[1].split("\n## ")[0]
    keys = re.findall(r"^\| `([\w.\[\]]+)` \|", table, re.M)
    assert len(keys) > 100
    assert [key for key in keys if not re.search(rf"^ *{re.escape(key)}( |$)", page, re.M)] == []


def in_bash(root: pathlib.Path, *words: str, folder=None, environment=None) -> set[str]:
    """What bash offers for the last of the words."""
    script = root / "usr/local/share/bash-completion/completions" / words[0]
    done = subprocess.run(
        ["bash", "-c", 'set -u; script=$1; shift; . "$script"; COMP_WORDS=("$@"); '
         'COMP_CWORD=$(($# - 1)); f=$(complete -p "$1"); f=${f#* -F }; ${f%% *}; '
         'printf "%s\\n" "${COMPREPLY[@]}"', "bash", str(script), *words],
        capture_output=True, text=True, check=True, cwd=folder, env=environment)
    assert done.stderr == ""
    return set(done.stdout.split())


def in_zsh(root: pathlib.Path, *words: str, folder=None, environment=None) -> set[str]:
    """What zsh lists on its terminal when asked with ^D behind the last of the words."""
    terminal, its_end = os.openpty()
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"], stdin=its_end, stdout=its_end, stderr=its_end, cwd=folder,
        start_new_session=True, env={**(environment or os.environ), "TERM": "dumb", "COLUMNS": "200"})
    os.close(its_end)

    rest = b""

    def said_until(end: str) -> str:
        nonlocal rest
        while end.encode() not in rest:
            assert select.select([terminal], [], [], 60)[0], rest
            rest += os.read(terminal, 65536)
        said, _, rest = rest.partition(end.encode())
        return said.decode()
    functions = root / "usr/local/share/zsh/site-functions"
    os.write(terminal, f"fpath+=({functions}); autoload -U compinit; compinit -u -D; PROMPT=; "
                       "unsetopt list_beep; LISTMAX=1000; print re''ady\n".encode())
    said_until("ready")
    said_until("\x1b[?2004h")  # its line editor listens
    # What is on the line then is printed by the next command, so that the list has an end.
    os.write(terminal, " ".join(words).encode() + b"\x04\x15print do''ne\n")
    listed = said_until("done")
    shell.kill()  # it takes no SIGTERM
    shell.wait()
    os.close(terminal)
    lines = re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", listed).replace("\r", "\n").splitlines()
    rows = [line for line in lines if "print do" not in line and not line.startswith(words[0] + " ")]
    # `word  -- what it means`, or some words a line.
    return {word for row in rows for word in row.partition(" -- ")[0].split()}


def in_fish(root: pathlib.Path, *words: str, folder=None, environment=None) -> set[str]:
    """What fish offers for the last of the words."""
    script = root / f"usr/local/share/fish/vendor_completions.d/{words[0]}.fish"
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script}; complete -C '{' '.join(words)}'"],
        capture_output=True, text=True, check=True, cwd=folder, env=environment)
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines()}


SHELLS = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}


@pytest.fixture(params=SHELLS)
def completed(request):
    assert shutil.which(request.param), f"{request.param} is missing; run tools/packages test"
    return SHELLS[request.param]


def test_shells_complete_commands_options_and_values(root, completed, tmp_path):
    assert completed(root, "sluice", "ch") == {"check"}
    assert {"show", "apply", "flush", "calc", "sim"} <= completed(root, "sluice", "")
    assert completed(root, "sluice", "show", "f") == {"fdb", "fabric"}
    assert completed(root, "sluice", "show", "ports", "--js") == {"--json"}
    assert completed(root, "sluice", "calc", "head") == {"headroom"}
    assert "--cable" in completed(root, "sluice", "calc", "headroom", "--speed", "1G", "--c")
    assert completed(root, "sluice", "sim", "link", "cr") == {"credit"}
    assert completed(root, "sluice", "sim", "fabric", "is") == {"islip"}
    assert completed(root, "sluice", "show", "ports", "--every", "") == set()
    assert completed(root, "sluiced", "--log-level", "w") == {"warning"}
    assert completed(root, "sluice", "--socket", "here", "confi") == {"confirm"}
    (tmp_path / "mine.yaml").touch()
    assert completed(root, "sluice", "check", "mi", folder=tmp_path) == {"mine.yaml"}
    assert completed(root, "sluiced", "-c", "mi", folder=tmp_path) == {"mine.yaml"}


def test_shells_complete_the_names_of_ports(root, completed, lab: Lab):
    switch = lab.make_switch([{"name": "host/1", "device": "ring:a"},
                              {"name": "host/2", "device": "ring:b"},
                              {"name": "spine", "device": "ring:c"}]).start()
    environment = {**os.environ, "PATH": f"{root}/usr/local/bin:{os.environ['PATH']}"}
    here = environment | {"SLUICE_SOCKET": switch.socket}
    # A switch that is late is not waited for.
    until_equal(lambda: completed(root, "sluice", "capture", "host", environment=here),
                {"host/1", "host/2"}, "ports are known")
    until_equal(lambda: completed(root, "sluice", "--socket", switch.socket, "flush", "fdb", "--port",
                                  "s", environment=environment), {"spine"}, "by --socket as well")
    nowhere = environment | {"SLUICE_SOCKET": str(lab.folder / "nowhere")}
    assert "host/1" not in completed(root, "sluice", "capture", "host", environment=nowhere)


def test_shells_complete_keys_and_their_values(root, completed, lab: Lab):
    switch = lab.make_switch([{"name": "host/1", "device": "ring:a"}]).start()
    environment = {**os.environ, "PATH": f"{root}/usr/local/bin:{os.environ['PATH']}",
                   "SLUICE_SOCKET": switch.socket}
    for words, offered in {("set", "ports."): {"ports.host/1."}, ("unset", "fabric.it"): {"fabric.iterations"},
                           ("set", "ports.host/1.admin_status", "u"): {"up"}}.items():
        until_equal(lambda: completed(root, "sluice", *words, environment=environment), offered, words)


# --- what installed texts name --------------------------------------------------------------------

DOCUMENTS = "usr/local/share/doc/sluice"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
# As in the source tree, whose shape the documents have; not a script, which is a clone's.
IN_THE_TREE = re.compile(r"(?<![\w./-])(?:config|control|dataplane|pmd_glue|tests|tools)/[\w./-]*"
                         r"\.(?:md|yaml|json|conf|png|svg)\b(?! of the sources)")
ABSOLUTE = re.compile(r"(?<![\w.])/(?:etc/sluice|usr/[\w./-]*sluice)[\w./-]*\w")
PAGE = re.compile(r"\b(sluice[\w.-]*)\((\d)\)")


def named_by(path: pathlib.Path, text: str, root: pathlib.Path) -> set[pathlib.Path]:
    """What must be there, below `root`, for what a text says to be true."""
    named = {root / DOCUMENTS / name for name in IN_THE_TREE.findall(text)}
    # The default of `prefix` in meson's own words; /etc is that of a package.
    named |= {root / re.sub("^/etc/", "/usr/local/etc/", name)[1:] for name in ABSOLUTE.findall(text)}
    named |= {root / f"usr/local/share/man/man{section}/{name}.{section}"
              for name, section in PAGE.findall(text)}
    if path.suffix == ".md":
        named |= {path.parent / name for name in LINK.findall(text) if "://" not in name}
    return named


def test_what_a_text_names_is_found():
    root = pathlib.Path("/r")
    text = "[a](b.md#c) `config/nics.md` /etc/sluice/sluice.yaml sluiced(8), [d](https://e.f) tools/bench"
    assert named_by(root / "x/y.md", text, root) == {
        root / "x/b.md", root / DOCUMENTS / "config/nics.md", root / "usr/local/etc/sluice/sluice.yaml",
        root / "usr/local/share/man/man8/sluiced.8"}


def texts_of(root: pathlib.Path) -> dict[pathlib.Path, str]:
    """Manual pages as a terminal shows them, what stands in programs, and files of text."""
    texts = {root / f"usr/local/share/man/man{section}/{name}.{section}": page_of(root, section, name)
             for section, name in pages()}
    for path in root.rglob("*"):
        if path.is_file() and path not in texts and path.suffix not in {".png"}:
            octets = re.findall(rb"[\t\n\x20-\x7e]{6,}", path.read_bytes())
            texts[path] = "\n".join(text.decode() for text in octets)
    return texts


def test_what_installed_texts_name_is_installed(root):
    texts = texts_of(root)
    missing = {(str(path.relative_to(root)), str(name))
               for path, text in texts.items() for name in named_by(path, text, root)
               if not name.exists()}
    assert missing == set()
    named = set.union(*(named_by(path, text, root) for path, text in texts.items()))
    assert len(named) > 50, "it looks"


# --- the unit -------------------------------------------------------------------------------------

@pytest.mark.parametrize("name, programs", [("sluice", ("sbin/sluiced", "bin/sluice")),
                                            ("sluice-snmp", ("sbin/sluice-snmp",))])
def test_systemd_understands_the_unit(root, unit, tmp_path, name, programs):
    text = unit.with_stem(name).read_text()
    for program_of_it in programs:
        word = re.compile(rf"(?<==)/usr/local/{program_of_it}(?=[ \n])")
        assert word.search(text)
        text = word.sub(f"{root}/usr/local/{program_of_it}", text)
    there = tmp_path / f"{name}.service"
    there.write_text(text)
    done = run("systemd-analyze", "verify", "--man=no", str(there))
    assert done.stderr == "", done.stderr


@pytest.mark.parametrize("name, most", [("sluice", 2.7), ("sluice-snmp", 1.5)])
def test_systemd_finds_the_unit_little_exposed(unit, name, most):
    done = run("systemd-analyze", "security", "--offline=yes", "--no-pager", str(unit.with_stem(name)))
    level = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)[1])
    assert level <= most, done.stdout


def capabilities_of(unit: pathlib.Path) -> list[str]:
    [bounding] = lines_of(unit, "CapabilityBoundingSet")
    assert lines_of(unit, "AmbientCapabilities") == [bounding]
    return [name.removeprefix("CAP_").lower() for name in bounding.split()]


@pytest.fixture
def as_the_unit(root, unit, lab: Lab):
    """Starts a switch as its user and with its capabilities; `{run}` in a device is a folder that
    this user may write to, as the unit's run folder is."""
    folder = pathlib.Path(f"/run/{lab.folder.name}-{os.getpid()}")
    folder.mkdir(mode=0o755)

    def start(*devices: str):
        switch = lab.make_switch([{"device": device.format(run=folder)} for device in devices])
        shutil.copy(root / "usr/local/sbin/sluiced", folder / "sluiced")
        os.chown(folder, int(NOBODY), int(NOBODY))
        switch.socket = str(folder / "socket")
        configuration = {**switch.configuration, "control": {"socket": switch.socket}}
        (folder / "sluice.yaml").write_text(json.dumps(configuration))
        all_of_them = ",".join(f"+{name}" for name in capabilities_of(unit))
        switch.process = lab.namespace.start(
            "unshare", "--mount", "sh", "-ec",
            f'mkdir -p /run/sluice; mount -t tmpfs -o uid={NOBODY},gid={NOBODY},mode=755 none '
            '/run/sluice; exec "$@"', "sh", "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
            "--clear-groups", f"--inh-caps=-all,{all_of_them}",
            f"--ambient-caps=-all,{all_of_them}", f"--bounding-set=-all,{all_of_them}",
            "env", "XDG_RUNTIME_DIR=/run/sluice", str(folder / "sluiced"),
            "-c", str(folder / "sluice.yaml"))
        until(switch.links, "it answers")
        return switch
    yield start
    shutil.rmtree(folder)


def test_its_user_and_capabilities_are_enough(lab: Lab, as_the_unit, kind):
    one, two = lab.add_hosts(2)
    switch = as_the_unit(f"{kind}:p0", f"{kind}:p1")
    switch.until_ready()
    one.ping(two.ipv4)
    switch.settled()
    switch.stop()


@pytest.mark.parametrize("device", ["memif:{run}/memif", "tap:tap0", "null:"])
def test_they_are_enough_for_other_devices(as_the_unit, device):
    as_the_unit(device, "ring:loop").stop()


def fed(systemd: socket.socket, seconds: float) -> int:
    """How often the watchdog is, in that time."""
    end, times = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        systemd.settimeout(left)
        try:
            times += systemd.recv(4096).count(b"WATCHDOG=1")
        except TimeoutError:
            pass
    return times


def test_the_watchdog_is_fed_by_the_event_loop_and_by_nothing_else(unit, lab: Lab):
    assert lines_of(unit, "Type") == ["notify"] and int(lines_of(unit, "WatchdogSec")[0]) >= 30
    path = str(lab.folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(path)
        systemd.settimeout(30)
        switch = lab.make_switch([{"device": "ring:loop"}])
        switch.launch(environment={**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"})
        while b"READY=1" not in systemd.recv(4096):
            pass
        assert fed(systemd, 4) >= 3
        # The event loop's thread alone; its workers run on.
        tracer = subprocess.Popen(
            [sys.executable, "-c", _HOLD, str(switch.process.pid)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        assert tracer.stdout.readline() == b"held\n"
        fed(systemd, 0.1)  # what was on its way
        assert fed(systemd, 2) == 0
        tracer.communicate(b"\n")
        assert fed(systemd, 4) >= 3


# Holds one thread of a process, by ptrace, until a line comes.
_HOLD = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
seize, interrupt, detach = 0x4206, 0x4207, 17
thread = int(sys.argv[1])
call = lambda request: libc.ptrace(request, thread, None, None)
assert call(seize) == 0 and call(interrupt) == 0
assert os.WIFSTOPPED(os.waitpid(thread, 0x40000000)[1])
print("held", flush=True)
sys.stdin.readline()
call(detach)
"""
