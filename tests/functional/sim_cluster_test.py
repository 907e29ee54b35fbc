"""`sluice sim run --sweep` whose runs leave their results in a folder: on this machine, as a Slurm job
array, and as an Indexed Job of Kubernetes by a stand-in. Whoever runs them, the table, JSON, CSV and
page are those of a sweep without any of it, octet for octet."""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import stat
import subprocess

import pytest

from kubernetes import changed, faults
from page import shown
from process import Process, children_of
from slurm import Slurm
from switch import program, sluice
from waiting import until

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = pathlib.Path(__file__).with_name("lab") / "kubectl_stand_in.py"

CHANCE = """\
topology: {star: {hosts: 4}}
switch: {defaults: {lossless: [3]}}
flows:
  - {name: some, from: [h1, h2], to: h0, priority: 3, rate: 4G, pattern: poisson}
  - {name: other, from: h3, to: h0, rate: 1G, pattern: poisson}
"""
LONG = """\
run: {time: 1ms, memory: 16MiB}
cable: {speed: 400G, length: 100km}
topology: {star: {hosts: 2}}
flows: [{name: short, from: h0, to: h1, size: 64B}]
"""
SEEDS = ("--sweep", "run.seed=1..12", "--sweep", "cable.length=5m,1km")


@pytest.fixture
def written(tmp_path):
    def write(text: str, name: str = "scenario.yaml") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)
    return write


@pytest.fixture
def chance(written) -> str:
    return written(CHANCE)


@pytest.fixture
def folder(tmp_path) -> pathlib.Path:
    return tmp_path / "sweep"


def times_of(folder: pathlib.Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (folder / "runs").glob("*.json")}


def refusal(*words: str) -> str:
    done = sluice("sim", "run", *words, check=False)
    assert done.returncode in (1, 2) and done.stdout == ""
    [line] = done.stderr.splitlines()
    return line


# --- in a folder ----------------------------------------------------------------------------------

@pytest.mark.parametrize("output", [(), ("--csv",), ("--json",)])
def test_a_sweep_by_way_of_a_folder_prints_the_same_octets(chance, folder, tmp_path, output):
    plain, kept = tmp_path / "plain.html", tmp_path / "kept.html"
    wanted = sluice("sim", "run", chance, *SEEDS, *output, "--html", str(plain))
    found = sluice("sim", "run", chance, *SEEDS, *output, "--html", str(kept), "--folder", str(folder))
    assert (found.stdout, found.stderr) == (wanted.stdout, "")
    assert kept.read_bytes() == plain.read_bytes()
    assert len(times_of(folder)) == 24


def test_what_is_there_is_not_run_again(chance, folder):
    words = ("sim", "run", chance, *SEEDS, "--csv", "--folder", str(folder))
    first = sluice(*words).stdout
    before = times_of(folder)
    assert sluice(*words).stdout == first
    assert times_of(folder) == before


def test_results_that_lack_or_are_wrong_are_made_again(chance, folder):
    words = ("sim", "run", chance, *SEEDS, "--json", "--folder", str(folder))
    first = sluice(*words).stdout
    before = times_of(folder)
    runs = folder / "runs"
    (runs / "0.json").unlink()
    (runs / "1.json").write_text("")
    (runs / "2.json").write_bytes((runs / "2.json").read_bytes()[:-20])
    text = (runs / "3.json").read_text()
    at = text.index('"sent":') + 7
    (runs / "3.json").write_text(text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1:])
    shutil.copy(runs / "5.json", runs / "4.json")
    (runs / "6.json").write_text((runs / "6.json").read_text().replace('"key":"', '"key":"0', 1))
    assert sluice(*words).stdout == first
    after = times_of(folder)
    assert {name for name in after if after[name] != before.get(name)} == {
        f"{run}.json" for run in (0, 1, 2, 3, 4, 6)}


def test_a_folder_is_of_one_sweep_and_one_sluice(written, chance, folder):
    sluice("sim", "run", chance, "--sweep", "run.seed=1,2", "--folder", str(folder))
    other = "holds another sweep, or one by another sluice; name another folder, or remove it"
    assert other in refusal(chance, "--sweep", "run.seed=1,3", "--folder", str(folder))
    assert other in refusal(chance, "--sweep", "run.seed=1,2", "--time", "2ms", "--folder",
                            str(folder))
    changed = written(CHANCE.replace("4G", "5G"), "scenario.yaml")
    assert other in refusal(changed, "--sweep", "run.seed=1,2", "--folder", str(folder))
    written(CHANCE, "scenario.yaml")
    plan = json.loads((folder / "sweep.json").read_text())
    plan["sources"] = "0" * 16
    (folder / "sweep.json").write_text(json.dumps(plan))
    assert other in refusal(chance, "--sweep", "run.seed=1,2", "--folder", str(folder))
    assert "of another sluice than this one" in refusal("--work", str(folder), "--list", "1",
                                                        "--task", "0")
    assert "of another sluice than this one" in (folder / "log/refused.txt").read_text()


def test_a_folder_of_something_else_is_left_alone(chance, folder):
    folder.mkdir()
    (folder / "thesis.tex").write_text("almost done")
    assert "is not empty and holds no sweep" in refusal(chance, "--sweep", "run.seed=1,2",
                                                        "--folder", str(folder))
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]


def writers_of_rows() -> set[str]:
    """Who gives a row of a sweep its keys: of others than these a kept row would lack columns."""
    seen, left = set(), ["tools/sluice/sim/outcome.cc"]
    while left:
        seen.add(name := left.pop())
        text = (SOURCE / name).read_text()
        left += {f"{part}.cc" for part in re.findall(r'"(tools/sluice/sim/\w+)\.h"', text)} - seen
    found = {name for name in seen if re.search(r'\brow\["\w+"\] = |Json row = \{\{"',
                                                (SOURCE / name).read_text())}
    assert "tools/sluice/sim/slowdown.cc" in found
    return found


def test_the_simulator_is_known_by_its_sources(tmp_path):
    def digest() -> str:
        out, needed = tmp_path / "sources.cc", tmp_path / "sources.d"
        subprocess.run([SOURCE / "tools/sluice/sim/cluster/digest_sources", tmp_path / "tree", needed,
                        out], check=True)
        known = needed.read_text()
        assert "tree/tools/sim/network/network.h" in known
        assert all(f"tree/{name}" in known for name in writers_of_rows())
        return out.read_text()

    for part in ("dataplane", "config", "tools/sim", "tools/common", "tools/sluice/sim"):
        shutil.copytree(SOURCE / part, tmp_path / "tree" / part)
    shutil.copy(SOURCE / "meson.build", tmp_path / "tree")
    first = digest()
    (tmp_path / "tree/tools/sim/README.md").write_text("of no account")
    assert digest() == first
    with open(tmp_path / "tree/dataplane/types/units.h", "a", encoding="utf-8") as units:
        units.write("\n")
    assert digest() != first


def test_what_was_copied_and_changed_since_is_refused(chance, folder):
    sluice("sim", "run", chance, "--sweep", "run.seed=1,2", "--folder", str(folder))
    (folder / "scenario/scenario.yaml").write_text(CHANCE + "\n")
    assert "is not what the sweep began with" in refusal(chance, "--sweep", "run.seed=1,2",
                                                         "--folder", str(folder))


def test_a_task_needs_no_file_but_those_of_the_folder(tmp_path, written, folder):
    (tmp_path / "traces").mkdir()
    trace = tmp_path / "traces/a.csv"
    trace.write_text("time,from,to,bytes,priority\n0,h0,h1,65536,3\n12.5us,h1,h0,1000,3\n")
    file = written("topology: {star: {hosts: 2}}\n"
                   "flows: [{name: t, pattern: trace, file: traces/a.csv}]\n")
    words = (file, "--sweep", "cable.length=5m,1km", "--csv")
    wanted = sluice("sim", "run", *words).stdout
    sluice("sim", "run", *words, "--folder", str(folder))
    moved = tmp_path / "moved"
    folder.rename(moved)
    trace.rename(tmp_path / "gone.csv")
    for path in (moved / "runs").iterdir():
        path.unlink()
    sluice("sim", "run", "--work", str(moved), "--list", "1", "--task", "0")
    (tmp_path / "gone.csv").rename(trace)
    before = times_of(moved)
    assert sluice("sim", "run", *words, "--folder", str(moved)).stdout == wanted
    assert times_of(moved) == before and len(before) == 2


def test_a_task_that_is_not_there_is_reported(chance, folder):
    sluice("sim", "run", chance, "--sweep", "run.seed=1,2", "--folder", str(folder))
    for number in ("1", "4000000000000000000"):
        assert f"lists/1.json has no task {number}" in refusal(
            "--work", str(folder), "--list", "1", "--task", number)
    assert "holds no sweep that can be read" in refusal("--work", str(folder / "runs"), "--list",
                                                        "1", "--task", "0")


# --- runs that fail -------------------------------------------------------------------------------

def test_a_run_that_fails_is_a_row_that_says_so_in_a_folder_as_well(written, folder, tmp_path):
    words = (written(LONG), "--sweep", "run.memory=16MiB,256MiB", "--html")
    for output in ("--json", "--csv"):
        wanted = sluice("sim", "run", *words, str(tmp_path / "plain.html"), output, check=False)
        found = sluice("sim", "run", *words, str(tmp_path / "kept.html"), output, "--folder", str(folder),
                       check=False)
        assert (found.returncode, found.stdout, found.stderr) == (1, wanted.stdout, wanted.stderr)
    page = shown(tmp_path / "kept.html")
    assert "of 2 combinations, as their rows say" in page.texts["div"]
    assert any(cell.startswith("out of memory at ") for cell in page.texts["td"])
    assert (tmp_path / "kept.html").read_bytes() == (tmp_path / "plain.html").read_bytes()


def run_under_way(running: Process) -> int:
    """The process of the run that takes long: a child of the task, which is a child."""
    def found():
        tasks = children_of(running.pid)
        return [run for task in tasks for run in children_of(task)]
    return until(found, "a run is under way")[0]


@pytest.mark.parametrize("number, name", [(signal.SIGSEGV, "SIGSEGV"), (signal.SIGKILL, "SIGKILL")])
def test_a_run_that_is_ended_takes_no_other_with_it(chance, folder, tmp_path, number, name):
    """It leaves no result: the cause may have been its machine."""
    running = Process([program("sluice"), "sim", "run", chance, "--sweep", "run.time=3600s,1ms,2ms",
                       "--json", "--folder", str(folder), "--at-once", "2", "--attempts", "1"],
                      tmp_path, "sim")
    until(lambda: len(times_of(folder)) == 2 if folder.exists() else False, "the others are done")
    os.kill(run_under_way(running), number)
    assert running.wait(30) == 1
    rows = json.loads(running.output())
    assert rows[0] == {"run.time": "3600s",
                       "failed": f"no result after 1 attempt(s); last failure: ended by {name}"}
    assert sorted(times_of(folder)) == ["1.json", "2.json"]
    assert [row["run.time"] for row in rows[1:]] == ["1ms", "1ms", "2ms", "2ms"]
    assert "sluice: 1 of 3 combinations failed, as their rows say" in running.errors()


def test_an_interrupt_keeps_what_is_done_and_says_how_to_go_on(chance, folder, tmp_path):
    running = Process([program("sluice"), "sim", "run", chance, "--sweep", "run.time=3600s,1ms,2ms",
                       "--csv", "--folder", str(folder), "--at-once", "2"], tmp_path, "sim")
    until(lambda: len(times_of(folder)) == 2 if folder.exists() else False, "the others are done")
    run = run_under_way(running)
    running.signal(signal.SIGTERM)
    assert running.wait(30) == 1
    assert len(running.output().splitlines()) == 1 + 4
    assert running.errors().splitlines() == [
        f"sluice: interrupted; the same command resumes from the results in {folder}",
        "sluice: 1 of 3 combinations are not complete and have no row"]
    until(lambda: not pathlib.Path(f"/proc/{run}").exists(), "its runs have ended with it")


def test_runs_on_this_machine_end_with_who_started_them(chance, folder, tmp_path):
    running = Process([program("sluice"), "sim", "run", chance, "--sweep", "run.time=3600s,1ms",
                       "--folder", str(folder), "--at-once", "2"], tmp_path, "sim")
    run = run_under_way(running)
    running.signal(signal.SIGKILL)
    running.wait(30)
    until(lambda: not pathlib.Path(f"/proc/{run}").exists(), "its runs have ended with it")


# --- words ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("words, complaint", [
    (("--on", "slurm"), "--on: needs a --folder that every node has"),
    (("--on", "ssh", "--folder", "f"), "--on: ssh not in {local,slurm,kubernetes}"),
    (("--on", "kubernetes", "--folder", "f", "--claim", "c"), "--image: name the image"),
    (("--on", "kubernetes", "--folder", "f", "--image", "i"), "--claim: name the volume claim"),
    (("--on", "slurm", "--folder", "f", "--image", "i"),
     "--image: is only valid with --on kubernetes"),
    (("--folder", "f", "--slurm-options", "x"), "--slurm-options: is only valid with --on slurm"),
    (("--folder", "f", "--runs-a-task", "2"),
     "--runs-a-task: is only valid with --on slurm or kubernetes"),
    (("--folder", "f", "--attempts", "0"), "--attempts: "),
    (("--at-once", "2"), "--at-once: needs --folder"),
])
def test_words_that_do_not_fit_are_reported_in_a_line(chance, words, complaint):
    line = refusal(chance, "--sweep", "run.seed=1,2", *words)
    assert line.startswith("sluice: ") and complaint in line, line


def test_a_cluster_is_for_sweeps(chance):
    assert "requires --sweep" in refusal(chance, "--folder", "f")


# --- Slurm ----------------------------------------------------------------------------------------

@pytest.fixture
def slurm(tmp_path):
    cluster = Slurm(tmp_path / "slurm")
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.mark.parametrize("runs", [100, pytest.param(500, marks=pytest.mark.full)])
def test_slurm_carries_a_sweep_and_loses_a_node(slurm, chance, folder, tmp_path, runs):
    sweep = (chance, "--sweep", f"run.seed=1..{runs // 2}", "--sweep", "cable.length=5m,1km")
    plain, carried = tmp_path / "plain.html", tmp_path / "carried.html"
    wanted = sluice("sim", "run", *sweep, "--html", str(plain))
    running = slurm.start(program("sluice"), "sim", "run", *sweep, "--html", str(carried), "--on", "slurm",
                          "--folder", str(folder), "--runs-a-task", "10")
    until(lambda: folder.exists() and len(times_of(folder)) >= runs // 5, "a fifth is done", 60)
    slurm.take_away("node2")
    assert len(times_of(folder)) < runs, "it is taken away in mid-run"
    assert running.wait(120) == 0, running.said()
    assert running.output() == wanted.stdout
    assert carried.read_bytes() == plain.read_bytes()
    again = json.loads((folder / "lists/2.json").read_text())
    assert again["runs"] and again["each"] == 1, "what the node left undone was submitted again"


def test_words_for_sbatch_are_handed_on_and_what_it_says_is_reported(slurm, chance, folder):
    sweep = (program("sluice"), "sim", "run", chance, "--sweep", "run.seed=1,2", "--on", "slurm",
             "--folder", str(folder))
    done = slurm.run(*sweep, "--slurm-options", "--comment=ours --partition=none", check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("sluice: sbatch: error: ")
    assert "invalid partition specified: none" in done.stderr
    # By its own name the job would not be found again, and be submitted once more.
    slurm.run(*sweep, "--slurm-options", "--comment=ours --job-name=mine", "--at-once", "1")
    assert len(times_of(folder)) == 2
    assert sorted(path.name for path in (folder / "lists").iterdir()) == ["1.json", "2.json"]


def test_who_waits_may_go_and_come_back(slurm, chance, folder):
    """The tasks go on meanwhile; nothing is submitted twice, whatever squeue is used to list."""
    sweep = (program("sluice"), "sim", "run", chance, "--sweep", "run.time=1ms,2ms,3ms,4ms,5ms,2s",
             "--csv", "--on", "slurm", "--folder", str(folder), "--runs-a-task", "2")
    running = slurm.start(*sweep)
    until(lambda: folder.exists() and len(times_of(folder)) >= 1, "one is done", 60)
    running.signal(signal.SIGINT)
    assert running.wait(10) == 1
    job = json.loads((folder / "job.json").read_text())["name"]
    assert f"resumes from the results in {folder}; its tasks continue; `scancel {job}` ends them" \
        in running.errors()
    assert len(times_of(folder)) < 6, "it went before they were done"
    found = slurm.run("env", "SQUEUE_STATES=FAILED", *sweep).stdout
    assert found == sluice(*sweep[1:7]).stdout
    assert [path.name for path in (folder / "lists").iterdir()] == ["1.json"]


# --- Kubernetes, by a stand-in --------------------------------------------------------------------

@pytest.fixture
def cluster(tmp_path):
    """Words in the environment, and the folder of the stand-in."""
    home = tmp_path / "stand-in"
    (home / "jobs").mkdir(parents=True)
    (home / "fails").write_text("")
    (home / "claim").write_text(str(tmp_path))
    (home / "program").write_text(program("sluice"))
    (tmp_path / "bin").mkdir()
    kubectl = tmp_path / "bin/kubectl"
    shutil.copy(STAND_IN, kubectl)
    kubectl.chmod(kubectl.stat().st_mode | stat.S_IXUSR)
    return home, {**os.environ, "STAND_IN": str(home),
                  "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}


def test_an_indexed_job_carries_a_sweep_and_what_it_leaves_is_done_by_another(
        cluster, chance, folder):
    home, environment = cluster
    (home / "fails").write_text("1\n3\n")
    done = subprocess.run(
        [program("sluice"), "sim", "run", chance, *SEEDS, "--csv", "--on", "kubernetes", "--folder",
         str(folder), "--image", "registry/sluice:1", "--claim", "shared:sweep", "--at-once", "5",
         "--runs-a-task", "4", "--kubectl-options", "--namespace=sim"],
        capture_output=True, text=True, timeout=60, check=True, env=environment)
    assert done.stdout == sluice("sim", "run", chance, *SEEDS, "--csv").stdout
    said = (home / "said").read_text().splitlines()
    assert all(line.startswith("--namespace=sim ") for line in said)
    assert sum(" apply " in line for line in said) == 2
    first, again = (json.loads((folder / f"job-{n}.json").read_text()) for n in (1, 2))
    for job in (first, again):
        assert faults(job) == []
    for way, value in (("spec/completions", 0), ("spec/template/spec/restartPolicy", "Always"),
                       ("spec/completionMode", "NonIndexed"), ("spec/template/spec/containers", []),
                       ("spec/template/spec/volumes/0/name", "other")):
        assert len(faults(changed(first, way, value))) == 1, way
    spec = first["spec"]
    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", 6, 5)
    assert spec["template"]["spec"]["restartPolicy"] == "Never", "or no limit of an index"
    assert again["spec"]["completions"] == 8, "each of what two tasks left undone"
    [container] = spec["template"]["spec"]["containers"]
    assert container["image"] == "registry/sluice:1"
    assert [mount["name"] for mount in container["volumeMounts"]] == \
        [volume["name"] for volume in spec["template"]["spec"]["volumes"]]
    assert spec["template"]["spec"]["volumes"][0]["persistentVolumeClaim"] == {"claimName": "shared"}


def test_the_commands_of_the_page_do_what_it_says(cluster, tmp_path):
    """By fewer seeds; that for Slurm on this machine, that for Kubernetes with the test's own claim."""
    home, environment = cluster
    text = (SOURCE / "tools/sim/README.md").read_text().replace("\\\n", " ")
    for on in ("slurm", "kubernetes"):
        [command] = re.findall(rf"^    build/sluice (sim .* --on {on} .*)$", text, re.MULTILINE)
        words = shlex.split(command.replace("1..500", "1..2").replace("slurm", "local")
                            .replace("/shared", str(tmp_path / on)))
        (home / "claim").write_text(str(tmp_path / on))
        (tmp_path / on).mkdir()
        at = words.index("--on")
        done = subprocess.run([program("sluice"), *words], capture_output=True, text=True, timeout=60,
                              check=True, env=environment, cwd=SOURCE)
        assert done.stdout == sluice("sim", "run", str(SOURCE / words[2]), *words[3:at]).stdout
    assert "--namespace=sim apply" in (home / "said").read_text()


def test_what_kubectl_says_is_reported(cluster, chance, folder):
    _, environment = cluster
    done = subprocess.run(
        [program("sluice"), "sim", "run", chance, *SEEDS, "--on", "kubernetes", "--folder", str(folder),
         "--image", "i", "--claim", "c", "--kubectl-options", "--cluster=none"],
        capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("sluice: kubectl: error: unknown words ")


def test_a_job_that_can_never_run_is_not_waited_for(cluster, chance, folder):
    home, environment = cluster
    (home / "stuck").write_text("InvalidImageName")
    done = subprocess.run(
        [program("sluice"), "sim", "run", chance, *SEEDS, "--on", "kubernetes", "--folder", str(folder),
         "--image", "no such/image", "--claim", "c", "--kubectl-options", "--namespace=sim"],
        capture_output=True, text=True, timeout=60, check=False, env=environment)
    job = json.loads((folder / "job.json").read_text())["name"]
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        f"sluice: no task of {job} will ever run: InvalidImageName: so it is; `kubectl "
        f"--namespace=sim delete job {job}` removes it, and the same command then submits another")
