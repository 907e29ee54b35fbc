"""The threads of a process, as /proc shows them."""

import contextlib
import pathlib


def threads_of(pid: int) -> dict[int, dict[str, str]]:
    """By its number, what `status` says of each; one that ends meanwhile is left out."""
    threads = {}
    for folder in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            lines = (folder / "status").read_text().splitlines()
            threads[int(folder.name)] = dict(line.split(":\t", 1) for line in lines)
    return threads


def worker_threads(pid: int) -> list[int]:
    """By the number of the worker."""
    workers = {int(thread["Name"].rsplit("-", 1)[1]): number
               for number, thread in threads_of(pid).items() if "worker-" in thread["Name"]}
    return [workers[worker] for worker in sorted(workers)]
