"""Keeps what `tools/bench --json` printed, read from standard input: one JSON document, named for the
time and the commit, in the folder that is told.

`pace` is the machine's at the time (machine_bench): two documents of one machine can be compared
where theirs are alike."""

import datetime
import json
import pathlib
import sys

import results


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    found = results.of_lines(sys.stdin)
    machine = next((result for result in found if result["bench"] == "machine"), None)
    if machine is None:
        print("store.py: the bench `machine` is not among the results; run it as well",
              file=sys.stderr)
        return 1
    now = datetime.datetime.now(datetime.timezone.utc)
    document = {"date": now.isoformat(timespec="seconds"), "commit": machine["commit"],
                "machine": machine["machine"], "pace": machine["pace"],
                "undisturbed": machine["undisturbed"], "results": found}
    file = folder / f"{now:%Y-%m-%d-%H%M}-{machine['commit']}.json"
    try:
        folder.mkdir(exist_ok=True)
        # A result a line, so that two documents can be looked at side by side.
        rows = ",\n".join(json.dumps(result) for result in document.pop("results"))
        head = json.dumps(document, indent=1).removesuffix("\n}")
        file.write_text(f"{head},\n \"results\": [\n{rows}\n]}}\n")
    except OSError as error:
        print(f"store.py: {error}; make it writable", file=sys.stderr)
        return 1
    print(f"kept in {file}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
