"""Results of benches as they are kept: what --store wrote, one JSON document with `date`, `commit`,
`machine`, `pace` and `results`, or what --json printed, a result a line."""

import json
import pathlib

# What was asked, not what was found.
IDENTITY = ("bench", "test", "dut", "ports", "frame_bytes", "workers", "pfc", "format", "device",
            "addresses", "algorithm", "traffic", "scenario", "requests_percent", "load_percent",
            "buffer_bytes", "busy_ports", "priorities", "lanes", "frames_a_port", "clients",
            "variant", "encapsulation", "way", "bypass", "tcp_ports", "udp_ports", "marking", "what",
            "count")


def name_of(result: dict) -> str:
    if result["bench"] == "tunnel":  # of VXLAN alone there are some that do not say so
        result = {"encapsulation": "vxlan"} | result
    return " ".join(f"{key} {result[key]}" if key != "bench" else result[key]
                    for key in IDENTITY if key in result)


def by_name(results) -> dict[str, dict]:
    return {name_of(result): result for result in results}


def of_lines(lines) -> list[dict]:
    return [json.loads(line) for line in lines if line.strip()]


def read(file: str) -> dict[str, dict]:
    """By name; OSError or ValueError where it is neither."""
    text = pathlib.Path(file).read_text()
    try:
        whole = json.loads(text)
        results = whole["results"] if "results" in whole else [whole]
    except json.JSONDecodeError:
        results = of_lines(text.splitlines())
    if not all(isinstance(result, dict) and "bench" in result for result in results):
        raise ValueError("a result in it names no bench")
    return by_name(results)
