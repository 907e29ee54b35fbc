#!/usr/bin/python3
"""kubectl where there is no Kubernetes: it keeps a Job that is applied, and each time that it is asked
how the Job is, carries out some of its indexes on this machine, in the container's own command line.

    STAND_IN/jobs/NAME.json   what was applied; STAND_IN/said: with which words it was called
    STAND_IN/fails            indexes of the first Job that fail, one a line
    STAND_IN/stuck            why no pod runs, if that is there; then no index is carried out
    STAND_IN/claim            where the volume claim is
    STAND_IN/program          what `sluice` is in the image
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(os.environ["STAND_IN"])
AT_A_TIME = 3


def apply(file: str) -> None:
    job = json.loads(pathlib.Path(file).read_text())
    job["status"] = {"completed": [], "failed": []}
    (HERE / "jobs" / f"{job['metadata']['name']}.json").write_text(json.dumps(job))


def carried_out(job: dict, index: int) -> bool:
    is_first = len(list((HERE / "jobs").iterdir())) == 1
    if is_first and str(index) in (HERE / "fails").read_text().split():
        return False
    pod = job["spec"]["template"]["spec"]
    container = pod["containers"][0]
    [mount] = container["volumeMounts"]
    folder = pathlib.Path((HERE / "claim").read_text()) / mount.get("subPath", "")
    words = [word.replace("$(JOB_COMPLETION_INDEX)", str(index)) for word in container["command"]]
    words = [str(folder) if word == mount["mountPath"] else word for word in words]
    assert words[0] == "sluice"
    return subprocess.run([(HERE / "program").read_text(), *words[1:]], check=False).returncode == 0


def get(name: str) -> str:
    file = HERE / "jobs" / f"{name}.json"
    if not file.exists():
        return ""
    job = json.loads(file.read_text())
    kept, count = job["status"], job["spec"]["completions"]
    begun = len(kept["completed"]) + len(kept["failed"])
    if (HERE / "stuck").exists():
        begun = count
    for index in range(begun, min(begun + AT_A_TIME, count)):
        kept["completed" if carried_out(job, index) else "failed"].append(index)
    file.write_text(json.dumps(job))
    over = len(kept["completed"]) + len(kept["failed"]) == count
    status = {"active": 0 if over else AT_A_TIME, "succeeded": len(kept["completed"]),
              "completedIndexes": ",".join(map(str, kept["completed"])),
              "failedIndexes": ",".join(map(str, kept["failed"]))}
    if over and kept["failed"]:
        status["conditions"] = [{"type": "FailureTarget", "status": "True"},
                                {"type": "Failed", "status": "True", "reason": "FailedIndexes"}]
    elif over:
        status["conditions"] = [{"type": "Complete", "status": "True"}]
    return json.dumps({**job, "status": status})


def pods(name: str) -> str:
    """Reports a pod that cannot start as the kubelet does."""
    assert (HERE / "jobs" / f"{name}.json").exists()
    file = HERE / "stuck"
    state = {"waiting": {"reason": file.read_text(), "message": "so it is"}} if file.exists() \
        else {"running": {"startedAt": "2026-01-01T00:00:00Z"}}
    return json.dumps({"kind": "List", "items": [
        {"kind": "Pod", "status": {"phase": "Pending", "containerStatuses": [
            {"name": "sluice", "ready": False, "state": state}]}}]})


with open(HERE / "said", "a", encoding="utf-8") as said:
    said.write(" ".join(sys.argv[1:]) + "\n")
match [word for word in sys.argv[1:] if not word.startswith("--namespace=")]:
    case ["apply", "--filename", file_name]:
        apply(file_name)
    case ["get", "job", job_name, "--ignore-not-found", "--output", "json"]:
        print(get(job_name))
    case ["get", "pods", selector, "--output", "json"]:
        print(pods(selector.removeprefix("--selector=job-name=")))
    case others:
        sys.exit(f"error: unknown words {others}")
