"""Table: prints the results of a run for people."""


def rendered(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def number(value) -> str:
    return "-" if value is None else f"{value:,}"


def latency(found) -> str:
    """Returns the latencies that the generator measured, in microseconds."""
    return "-" if not found else ", ".join(f"{key} {value:,.1f}" for key, value in found.items())


def step_text(step: dict) -> list[str]:
    lines = [f"step {step['step']}"]
    if "not_run" in step:
        return [*lines, f"  not run: {step['not_run']}"]
    if "search" in step:
        loss = ("no loss" if step["search"] == "ndr"
                else f"no more than {step['accepted_loss_percent']:g} % lost")
        if step["rate"] is None:
            return [*lines, f"  {step['search']}: no rate with {loss}; {step['trials']} trials of "
                            f"{step['seconds']:g} s"]
        limit = (" (the generator sent no faster: it is the limit, not the switch)"
                 if step["limit"] == "generator" else "")
        return [*lines, f"  {step['search']}: {step['rate']:,.0f} frames a second of each port, "
                        f"{loss}{limit}; {step['trials']} trials of {step['seconds']:g} s"]
    rows = [["stream", "sent", "received", "lost", "reordered", "twice", "latency in us"]]
    rows += [[row["stream"], number(row["sent"]), number(row["received"]), number(row["lost"]),
              number(row["reordered"]), number(row["duplicates"]), latency(row["latency_us"])]
             for row in step["streams"]]
    lines += ["  " + line for line in rendered(rows)]
    if step["limit"] == "generator":
        lines.append("  the generator sent less than it was asked to: it is the limit here")
    return lines + [f"  {one['what']:<7} {'ok    ' if one['holds'] else 'FAILED'} {one['why']}"
                    for one in step["verdicts"]]


def text(found: dict, by_trex: bool) -> str:
    generator = f"generator: {found['generator']} {found['generator_version']}".rstrip()
    if not by_trex:
        generator += " (neither --trex nor $TREX says where TRex is)"
    head = (f"profile {found['profile']} over {found['bed']}, {found['ports']} ports, "
            f"{found['rate']:,.0f} frames a second of each")
    lines = [head, generator]
    for step in found["steps"]:
        lines += ["", *step_text(step)]
    return "\n".join([*lines, "", "passed" if found["passed"] else "FAILED"])
