"""Checks T4 results files by the constraints of the published schema, 1.0.0: check_t4.py FILE...

Prints a line for each file: how many results it has, and the fastest as a reader finds it.
"""
import json
import os
import re
import sys

INVALIDITY = {"timeout", "compile", "runtime", "correctness", "constraints", "correct"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check(result):
    assert {"configuration", "times", "invalidity", "correctness"} <= set(result), result.keys()
    assert isinstance(result["configuration"], dict)
    assert isinstance(result.get("timestamp", ""), str)
    assert result["invalidity"] in INVALIDITY
    assert result["correctness"] in (0, 1)
    for name, value in result["times"].items():
        if name == "runtimes":
            assert isinstance(value, list) and all(map(is_number, value))
        else:
            assert is_number(value), name
    for measured in result["measurements"]:
        assert isinstance(measured["name"], str) and isinstance(measured["unit"], str)
        assert isinstance(measured["value"], (int, float, str, list))
    assert all(isinstance(objective, str) for objective in result["objectives"])


for path in sorted(sys.argv[1:]):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", document["schema_version"])
    assert document["metadata"]["compute_api"] in ("OpenCL", "CUDA", "Vulkan")
    assert document["metadata"]["timeunit"] in ("nanoseconds", "microseconds", "milliseconds", "seconds")
    names = {tuple(result["configuration"]) for result in document["results"]}
    assert len(names) == 1, "results with other parameters"
    times = {}
    for result in document["results"]:
        check(result)
        if result["invalidity"] == "correct":
            objective, = result["objectives"]
            times[result["configuration"]["variant"]], = (
                m["value"] for m in result["measurements"] if m["name"] == objective)
    best = min(times, key=times.get)
    print(f"{os.path.basename(path)}: {len(document['results'])} results, best {best} {times[best]:g} ms")
