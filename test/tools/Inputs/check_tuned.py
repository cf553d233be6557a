"""Checks `spirv-tailor tune --format json`: check_tuned.py REPORT DEVICE-PART... [--db FILE]

Exactly one result for each device, each with its own verified winner that is one of its measured candidates, and no
candidate that was wrong or failed. With --db the database holds the same winners.
"""
import json
import sqlite3
import sys

arguments = sys.argv[1:]
database = None
if "--db" in arguments:
    at = arguments.index("--db")
    database = arguments[at + 1]
    del arguments[at:at + 2]
with open(arguments[0], encoding="utf-8") as file:
    report = json.load(file)
assert report["schema"] == 1
results = report["results"]
assert len(results) == len(arguments) - 1, f"{len(results)} results"
for part in arguments[1:]:
    mine = [result for result in results if part.lower() in result["device"]["name"].lower()]
    assert len(mine) == 1, f"{part}: {len(mine)} results"
    result = mine[0]
    assert "failure" not in result, result
    assert result["verified"] is True, result
    assert result["winner"]["median_ns"] > 0 and result["authored"]["median_ns"] > 0
    candidates = {candidate["id"]: candidate for candidate in result["candidates"]}
    assert candidates["authored"]["state"] == "measured"
    assert candidates[result["winner"]["id"]]["state"] == "measured"
    for candidate in candidates.values():
        assert candidate["state"] not in ("wrong", "failed"), candidate
        if candidate["state"] == "measured":
            assert candidate["verified"] is True and candidate["median_ns"] > 0, candidate
    print(result["kernel"], result["size"], "verified on", part)
assert len({result["device"]["key"] for result in results}) == len(results), "devices share a key"
if database:
    rows = sqlite3.connect(database).execute("SELECT device_name, winner_id, verified FROM winners").fetchall()
    wanted = sorted((result["device"]["name"], result["winner"]["id"], 1) for result in results)
    assert sorted(rows) == wanted, (rows, wanted)
    print("database holds", len(rows))
