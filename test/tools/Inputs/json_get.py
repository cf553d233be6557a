"""Prints parts of a JSON file: json_get.py FILE PATH..., where PATH is such as kernels.0.variants.*.id"""
import json
import sys


def parts(value, path):
    if not path:
        yield value
    elif path[0] == "*":
        for each in value if isinstance(value, list) else value.values():
            yield from parts(each, path[1:])
    else:
        yield from parts(value[int(path[0])] if isinstance(value, list) else value[path[0]], path[1:])


with open(sys.argv[1], encoding="utf-8") as file:
    root = json.load(file)
for path in sys.argv[2:]:
    print(path + ":", *[json.dumps(value) for value in parts(root, path.split("."))])
