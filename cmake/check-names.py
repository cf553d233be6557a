#!/usr/bin/env python3
"""Checks the names and headers of the project's own files.

- a pass's flag, its file (passes/<Flag>.cpp), its tests (test/passes/<flag>/) and its heading in
  docs/passes.md go by one name; nothing of the four stands alone
- a C++ file begins with its own name and the licence line; a header's guard follows its path
- no file has trailing white space, tabs or a missing last newline
- a test that is left out names its reason

    check-names.py [ROOT]        check a tree (the one this file is in, by default)
    check-names.py --self-test   check that planted faults are found
"""
import pathlib
import re
import sys
import tempfile

FOLDERS = ("lib", "passes", "tools", "include", "test", "examples", "bench", "cmake", "scripts", "docs")
SOURCES = {".h", ".cpp"}
TEXT = SOURCES | {".py", ".md", ".cmake", ".def", ".fbs", ".json", ".test", ".comp", ".hlsl", ".txt"}
LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# A line of the catalogue: PASS("flag", ... or PASS(Name, "flag", ...
CATALOGUE = re.compile(r'^\s*\w*PASS\w*\s*\((?:\s*\w+\s*,)*\s*"([a-z0-9-]+)"')


def camel(flag):
    return "".join(part.capitalize() for part in flag.split("-"))


def check_passes(root):
    catalogue = root / "passes" / "Passes.def"
    if not catalogue.is_file():
        return
    flags = {}
    for number, line in enumerate(catalogue.read_text().splitlines(), 1):
        match = CATALOGUE.match(line)
        if match:
            flags[match.group(1)] = number
    if not flags:
        yield "passes/Passes.def", 1, "no pass found in the catalogue"
    docs = root / "docs" / "passes.md"
    headings = set(re.findall(r"^#+\s+`?([a-z0-9-]+)`?\s*$", docs.read_text(), re.M)) if docs.is_file() else set()
    for flag, number in flags.items():
        names = {p.stem.lower() for p in (root / "passes").glob("*.cpp")}
        if camel(flag).lower() not in names:
            yield "passes/Passes.def", number, f"the pass '{flag}' has no file passes/{camel(flag)}.cpp"
        tests = root / "test" / "passes" / flag
        if not tests.is_dir() or not any(p.is_file() for p in tests.iterdir()):
            yield "passes/Passes.def", number, f"the pass '{flag}' has no tests in test/passes/{flag}/"
        if flag not in headings:
            yield "passes/Passes.def", number, f"the pass '{flag}' has no heading in docs/passes.md"
    folders = root / "test" / "passes"
    for folder in sorted(folders.iterdir()) if folders.is_dir() else []:
        if folder.is_dir() and folder.name not in flags and folder.name not in ("Inputs", "manager"):
            yield f"test/passes/{folder.name}", 1, "no pass goes by this name in passes/Passes.def"


def check_source(relative, lines):
    path = relative.as_posix()
    name = path.removeprefix("lib/").removeprefix("include/")
    first = lines[0] if lines else ""
    if not first.startswith("//===- ") or relative.name not in first:
        yield path, 1, f"the first line is not of the form '//===- {name} - what it is ---===//'"
    if LICENCE not in lines[:8]:
        yield path, 1, "the licence line is missing from the file's header"
    if relative.suffix == ".h":
        guard = re.sub(r"[^A-Z0-9]", "_", "TAILOR_" + name.upper().removeprefix("TAILOR/"))
        # Headers of tests and benchmarks are included by their neighbours alone: a shorter path will do.
        own = rf"TAILOR_(\w+_)?{re.sub(r'[^A-Z0-9]', '_', relative.name.upper())}"
        pattern = own if relative.parts[0] in ("test", "bench", "examples") else guard
        if not any(re.fullmatch("#ifndef " + pattern, line) for line in lines):
            yield path, 1, f"the include guard is not {guard}"


def check_text(relative, text):
    path = relative.as_posix()
    if text and not text.endswith("\n"):
        yield path, text.count("\n") + 1, "the last line has no newline"
    if "Inputs" in relative.parts:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            yield path, number, "white space at the end of the line"
        if "\t" in line:
            yield path, number, "a tab"
        if re.search(r"\b(DISABLED_\w+|GTEST_SKIP\(\)\s*;|GTEST_SKIP\(\)$)", line) and relative.suffix == ".cpp":
            yield path, number, "a test is left out without a reason"


def check(root):
    found = list(check_passes(root))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if not path.is_file() or path.suffix not in TEXT or "__pycache__" in path.parts:
                continue
            relative = path.relative_to(root)
            text = path.read_text(errors="replace")
            found += check_text(relative, text)
            if path.suffix in SOURCES and "Inputs" not in relative.parts:
                found += check_source(relative, text.splitlines())
    return [f"{path}:{line}: error: {text}" for path, line, text in found]


def self_test():
    header = "//===- {} - Text ---===//\n//\n// Part\n" + LICENCE + "\n"
    planted = {
        "passes/Passes.def": 'PASS("good-one", GoodOne, "text")\nPASS("lost-one", LostOne, "text")\n',
        "passes/GoodOne.cpp": header.format("passes/GoodOne.cpp"),
        "test/passes/good-one/a.test": "RUN: true\n",
        "test/passes/stray/a.test": "RUN: true \n",
        "docs/passes.md": "# Passes\n\n## `good-one`\n",
        "lib/IR/Good.h": header.format("IR/Good.h") + "#ifndef TAILOR_IR_GOOD_H\n",
        "lib/IR/Bad.h": "//===- IR/Worse.h - Text ---===//\n#ifndef BAD_H\n\tint x;",
        "test/unit/IR/T.cpp": header.format("test/unit/IR/T.cpp") + "TEST(A, DISABLED_B) {}\n",
    }
    expected = [
        "passes/Passes.def:2: error: the pass 'lost-one' has no file passes/LostOne.cpp",
        "passes/Passes.def:2: error: the pass 'lost-one' has no tests",
        "passes/Passes.def:2: error: the pass 'lost-one' has no heading",
        "test/passes/stray:1: error: no pass goes by this name",
        "test/passes/stray/a.test:1: error: white space",
        "lib/IR/Bad.h:1: error: the first line",
        "lib/IR/Bad.h:1: error: the licence line",
        "lib/IR/Bad.h:1: error: the include guard is not TAILOR_IR_BAD_H",
        "lib/IR/Bad.h:3: error: a tab",
        "lib/IR/Bad.h:3: error: the last line",
        "test/unit/IR/T.cpp:5: error: a test is left out",
    ]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in planted.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = check(root)
    missing = [e for e in expected if not any(f.startswith(e) for f in found)]
    for text in missing:
        print("self-test: not found:", text)
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
