#!/usr/bin/env python3
"""Checks who includes whom.

Support < IR < Analysis < passes < Backends/Bundle < Tuning < Report < tools, with Devices, Frontend and
Vulkan standing on Support. The tables below are the rule. Violations are printed as
`file:line: error: text`; the exit status is then 1.

    check-layers.py [ROOT]        check a tree (the one this file is in, by default)
    check-layers.py --self-test   check that planted violations are found
"""
import pathlib
import re
import sys
import tempfile

# Layer -> the layers that it may include besides itself.
ALLOWED = {
    "Support": [],
    "IR": ["Support"],
    "Devices": ["Support"],
    "Naga": ["Support"],
    "Frontend": ["Support", "IR", "Naga"],
    "Analysis": ["Support", "IR", "Devices"],
    "Cost": ["Support", "IR", "Devices", "Analysis"],
    "passes": ["Support", "IR", "Devices", "Analysis"],
    "Backends": ["Support", "IR", "Devices", "Analysis", "passes", "Naga"],
    "Bundle": ["Support", "IR", "Devices", "Analysis", "Cost", "passes", "Backends"],
    "Vulkan": ["Support", "IR", "Devices"],
    "Tuning": ["Support", "IR", "Devices", "Frontend", "Analysis", "Cost", "passes", "Backends", "Bundle", "Vulkan"],
    "Report": ["Support", "IR", "Devices", "Analysis", "Cost", "Bundle", "Vulkan", "Tuning"],
    "Runtime": [],
    "include": [],
}
EVERYTHING = list(ALLOWED) + ["tools"]
# Headers from outside that belong to one place: pattern -> the layers that may use them.
OUTSIDE = [
    (re.compile(r"^(vulkan/|vk_)"), ["Vulkan", "Tuning"], "the Vulkan API"),
    (re.compile(r"^spirv_cross/"), ["Backends", "Tuning"], "SPIRV-Cross"),
    (re.compile(r"^(glslang/|SPIRV/)"), ["Frontend"], "glslang"),
    (re.compile(r"^sqlite3\.h$"), ["Tuning"], "SQLite"),
    (re.compile(r"^flatbuffers/"), ["Bundle"], "FlatBuffers"),
    (re.compile(r"^llvm/"), [n for n in ALLOWED if n not in ("Runtime", "include")] + ["tools"], "LLVM"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
LINK = re.compile(r"\btailor::(\w+)")
SOURCES = {".h", ".hpp", ".cpp", ".cc", ".c", ".inc", ".def"}


def layer_of(path):
    """The layer of a file, given its path relative to the root; None: not checked."""
    parts = path.parts
    if parts[0] == "lib" and len(parts) > 2:
        return parts[1]
    if parts[0] in ("passes", "tools", "include", "test", "examples", "bench"):
        return parts[0]
    return None


def layer_included(name):
    """The layer that an include names; None: a header from outside the project."""
    first = name.split("/")[0]
    if "/" in name and first in ALLOWED:
        return first
    if name.startswith("tailor/"):
        return "include"
    return first if first in ("tools", "test") and "/" in name else None


def check_include(layer, neighbour, name):
    """What is wrong with one include of a file of `layer`; None: nothing. `neighbour`: it names a file
    in the same folder by its bare name. (Generated headers have bare names, and no such file.)"""
    free = layer in ("test", "bench", "examples")
    target = layer_included(name)
    if target is not None:
        allowed = EVERYTHING if layer == "tools" or free else ALLOWED[layer] + ["include"]
        if target == layer or target in allowed:
            return None
        return f"{layer} may not include {target} ({name})"
    if neighbour and layer in ALLOWED and layer != "include":
        return f'write the include from the root: "{layer}/{name}"'
    for pattern, allowed, what in OUTSIDE:
        if pattern.match(name) and not free and layer not in allowed:
            return f"{what} is used by {', '.join(allowed)} alone, not by {layer} ({name})"
    return None


def check_file(root, path):
    """The violations in one file, as (line, text)."""
    relative = path.relative_to(root)
    layer = layer_of(relative)
    if layer is None:
        return
    if layer not in ALLOWED and layer not in ("tools", "test", "bench", "examples"):
        yield 1, f"lib/{layer} is no layer: add it to cmake/check-layers.py"
        return
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if path.name == "CMakeLists.txt":
            if layer not in ALLOWED:
                continue
            for name in LINK.findall(line):
                target = "passes" if name == "Passes" else name
                if target in ALLOWED and target != layer and target not in ALLOWED[layer]:
                    yield number, f"{layer} may not link {name}"
            continue
        match = INCLUDE.match(line)
        if match:
            name = match.group(1) or match.group(2)
            neighbour = match.group(1) is not None and "/" not in name and (path.parent / name).is_file()
            text = check_include(layer, neighbour, name)
            if text:
                yield number, text


def check(root):
    """Every violation in the tree, as `file:line: error: text`."""
    found = []
    for folder in ("lib", "passes", "tools", "include", "test", "examples", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and (path.suffix in SOURCES or path.name == "CMakeLists.txt"):
                for line, text in check_file(root, path):
                    found.append(f"{path.relative_to(root)}:{line}: error: {text}")
    return found


def self_test():
    planted = {
        "lib/Support/A.h": '#include "IR/Module.h"\n',
        "lib/Support/Fine.h": '#include "Support/Dim3.h"\n#include <vector>\n#include <llvm/ADT/StringRef.h>\n',
        "lib/IR/B.cpp": '#include "IR/B.h"\n#include "Support/Result.h"\n\n#include "Analysis/Facts.h"\n',
        "lib/IR/CMakeLists.txt": "tailor_add_library(IR B.cpp\n  LINK tailor::Support tailor::Passes)\n",
        "passes/C.cpp": '#include "Bundle/Manifest.h"\n',
        "lib/Bundle/D.cpp": '#include "Analysis/Dispatch.h"\n#include "Tuning/Workload.h"\n',
        "lib/Tuning/E.cpp": '#include "Vulkan/Device.h"\n#include "Workload.h"\n',
        "lib/Tuning/Workload.h": '#include "schema_generated.h"\n',
        "lib/Runtime/F.c": "#include <tailor/tailor.h>\n#include <vulkan/vulkan.h>\n",
        "lib/Novel/G.cpp": "\n",
        "tools/x/H.cpp": '#include "Tuning/Workload.h"\n#include "Options.h"\n',
        "test/unit/IR/I.cpp": '#include "Tuning/Workload.h"\n',
    }
    expected = {
        ("lib/IR/B.cpp", 4, "IR may not include Analysis"),
        ("lib/IR/CMakeLists.txt", 2, "IR may not link Passes"),
        ("lib/Support/A.h", 1, "Support may not include IR"),
        ("passes/C.cpp", 1, "passes may not include Bundle"),
        ("lib/Bundle/D.cpp", 2, "Bundle may not include Tuning"),
        ("lib/Tuning/E.cpp", 2, "write the include from the root"),
        ("lib/Runtime/F.c", 2, "the Vulkan API is used by"),
        ("lib/Novel/G.cpp", 1, "lib/Novel is no layer"),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in planted.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = check(root)
    missing = [e for e in expected if not any(f.startswith(f"{e[0]}:{e[1]}: error: {e[2]}") for f in found)]
    for path, line, text in missing:
        print(f"self-test: not found: {path}:{line}: {text}")
    if len(found) != len(expected):
        print("self-test: found", *found, sep="\n  ")
    return 1 if missing or len(found) != len(expected) else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    found = check(root)
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
