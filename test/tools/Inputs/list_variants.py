"""Prints what a manifest says of each variant, one a line, and holds what must be true of all: list_variants.py M.json [PREFIX]

id technique local_size shared dispatch evidence [guard]; PREFIX: only ids that begin so."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    manifest = json.load(file)
prefix = sys.argv[2] if len(sys.argv) > 2 else ""
for kernel in manifest["kernels"]:
    ids = [variant["id"] for variant in kernel["variants"]]
    assert len(set(ids)) == len(ids), "an id is there twice"
    authored = kernel["authored"]["local_size"]
    for variant in kernel["variants"]:
        steps, dispatch = variant["steps"], variant["dispatch"]
        assert variant["technique"] == ("+".join(step["technique"] for step in steps) or "authored"), variant["id"]
        assert variant["why"], variant["id"]
        if steps:
            assert steps[-1]["local_size"] == variant["local_size"], variant["id"]
            parts = variant["id"].split("+")
            assert len(parts) == len(steps), variant["id"]
            for part, step in zip(parts, steps):
                size = "x".join(map(str, step["local_size"]))
                assert part.startswith(f"{step['technique']}-{size}"), variant["id"]
        assert (dispatch["rule"] == "guarded") == bool(variant["guard"]), variant["id"]
        assert (dispatch["rule"] == "cover") == ("grid-covers-bound" in variant["assumes"]), variant["id"]
        if dispatch["rule"] != "same":  # the size that the groups are counted by
            assert dispatch["mul"] == authored, variant["id"]
        if not variant["id"].startswith(prefix):
            continue
        rule = dispatch["rule"]
        if rule != "same":
            rule += " " + "x".join(map(str, dispatch["mul"])) + "/" + "x".join(map(str, dispatch["div"]))
        guard = variant["guard"] or {}
        print(variant["id"], variant["technique"], "x".join(map(str, variant["local_size"])), variant["shared_bytes"],
              rule, variant["evidence"], *[f"{key}={value}" for key, value in guard.items()])
