"""A Slurm of one controller and some node daemons on this machine: in a network namespace and a folder
of its own, without accounting or MUNGE, and nothing of it anywhere else.

Each node daemon has a PID namespace of its own, so that a node can be taken away with all that runs on
it, as by its power cord: nobody says goodbye."""

import os
import pathlib
import signal
import socket

from namespace import Namespace
from process import Process, children_of
from waiting import until

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,default_queue_depth=1000
SlurmdParameters=config_overrides
SlurmdTimeout=2
KillWait=1
NodeName=node[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[7001-{last_port}] CPUs={cpus}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def below(pid: int) -> list[int]:
    """Returns the children of a process, and their children."""
    return [one for child in children_of(pid) for one in (child, *below(child))]


def stop(pids: list[int], program: str) -> list[int]:
    """Stops the processes that run the program. Returns their ids."""
    found = []
    for pid in pids:
        try:
            if pathlib.Path(f"/proc/{pid}/comm").read_text() == f"{program}\n":
                os.kill(pid, signal.SIGSTOP)
                found.append(pid)
        except OSError:
            continue  # it has ended
    return found


class Slurm:
    def __init__(self, folder: pathlib.Path, nodes: int = 2, cpus: int = 2):
        (folder / "state").mkdir(parents=True)
        self.namespace = Namespace("slurm", folder)
        host = socket.gethostname().split(".")[0]
        file = folder / "slurm.conf"
        file.write_text(CONFIGURATION.format(folder=folder, host=host, nodes=nodes, cpus=cpus,
                                             last_port=7000 + nodes))
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        # Without an address nothing of it is resolved.
        self.namespace.ip("link", "add", "here", "type", "veth", "peer", "there")
        self.namespace.ip("address", "add", "192.0.2.1/24", "dev", "here")
        self.namespace.ip("link", "set", "here", "up")
        self.environment = {**os.environ, "SLURM_CONF": str(file)}
        self._start("slurmctld", "-D", "-i", "-f", str(file))
        self._nodes = {
            name: self._start("unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
                              "slurmd", "-D", "-f", str(file), "-N", name)
            for name in (f"node{n + 1}" for n in range(nodes))}
        try:
            until(lambda: self._state() == f"idle {nodes}\n", "all nodes are idle", 30)
        except AssertionError as late:
            said = "".join(node.said() for node in self._nodes.values())
            self.close()
            raise AssertionError(f"{late}\n{said}") from None

    def _state(self) -> str:
        return self.run("sinfo", "--noheader", "--format=%T %D", check=False).stdout

    def _start(self, *words: str) -> Process:
        return self.namespace.start(*words, environment=self.environment)

    def run(self, *words: str, check: bool = True, seconds: float = 120):
        return self.namespace.run("env", f"SLURM_CONF={self.environment['SLURM_CONF']}", *words,
                                  check=check, seconds=seconds)

    def start(self, *words: str) -> Process:
        return self._start(*words)

    def take_away(self, node: str) -> None:
        """Removes a node in the middle of a run, with all processes on it."""
        until(lambda: stop(below(self._nodes[node].pid), "sluice"), f"{node} runs something", 30)
        self._nodes[node].signal(signal.SIGKILL)
        self._nodes[node].wait(5)

    def close(self) -> None:
        for node in self._nodes.values():
            if node.running():
                node.signal(signal.SIGKILL)
        self.namespace.close()
