"""Which shaders there are, and how each is to be compiled."""

import dataclasses
import fnmatch
import json
import pathlib
import re
import struct

SOURCES = {".comp", ".glsl", ".hlsl", ".compute", ".csh", ".cs", ".fx"}
BINARIES = {".spv", ".spvasm"}
OTHER_STAGES = set(".vert .frag .geom .tesc .tese .mesh .task .rgen .rchit .rahit .rmiss .rint .rcall".split())
SPIRV_MAGIC = 0x07230203
OP_ENTRY_POINT, OP_FUNCTION, GL_COMPUTE = 15, 54, 5


class UsageError(Exception):
    """What is wrong in the options or in a configuration file."""


@dataclasses.dataclass(frozen=True)
class Configuration:
    """One way to compile a file: a row of `configurations` in a configuration file."""

    name: str = "as is"
    files: tuple = ("*",)  # patterns over paths in the project's folder
    prelude: tuple = ()  # files
    defines: tuple = ()  # (name, value)
    include: tuple = ()  # folders
    spec: tuple = ()  # (id, value)
    target_env: str = ""

    def options(self):
        """Options that spirv-tailor and spirv-tailor-opt both take."""
        words = []
        for folder in self.include:
            words += ["-I", str(folder)]
        for name, value in self.defines:
            words += ["-D", f"{name}={value}" if value != "" else name]
        for number, value in self.spec:
            words += ["--spec", f"{number}={value}"]
        return words + (["--target-env", self.target_env] if self.target_env else [])


BINARY = Configuration("binary")


@dataclasses.dataclass
class Project:
    name: str
    folder: pathlib.Path
    configurations: list
    exclude: tuple = ()
    rest: Configuration | None = None  # for files that no configuration fits; None: they are left out

    def fitting(self, inner):
        found = [c for c in self.configurations if any(fnmatch.fnmatch(inner, p) for p in c.files)]
        return found or ([self.rest] if self.rest else [])


@dataclasses.dataclass
class Job:
    """One file under one configuration, and the entry point to compile (HLSL; else empty)."""

    project: str
    path: pathlib.Path
    configuration: Configuration
    entry: str = ""
    input: pathlib.Path | None = None  # the file that the tools read: with its prelude, where it has one
    command: list = dataclasses.field(default_factory=list)  # analyzes it


# The configuration file.


def check_keys(table, keys, where):
    if not isinstance(table, dict):
        raise UsageError(f"{where}: an object is expected")
    for key in table:
        if key not in keys:
            raise UsageError(f"{where}: unknown key '{key}'")


def configuration_of(table, project, base, where):
    check_keys(table, {"name", "files", "prelude", "defines", "include", "spec", "target_env"}, where)

    def pairs(key):
        return tuple((str(name), str(value)) for name, value in table.get(key, {}).items())

    def paths(holder, key):
        return tuple(base / p for p in holder.get(key, []))

    return Configuration(
        name=table.get("name", "as is"),
        files=tuple(table.get("files", ["*"])),
        prelude=paths(table, "prelude"),
        defines=pairs("defines"),
        include=paths(table, "include") + paths(project, "include"),
        spec=pairs("spec"),
        target_env=table.get("target_env", project.get("target_env", "")),
    )


def read_projects(file):
    """The projects of a configuration file; its paths are relative to it."""
    path = pathlib.Path(file)
    try:
        document = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: {error}") from error
    base, projects = path.resolve().parent, []
    check_keys(document, {"projects"}, file)
    for table in document.get("projects", []):
        where = f"{file}: project '{table.get('name', '')}'"
        check_keys(table, {"name", "folder", "include", "exclude", "target_env", "rest", "configurations"}, where)
        if not table.get("name") or not table.get("folder"):
            raise UsageError(f"{where} needs a name and a folder")
        if not (base / table["folder"]).is_dir():
            raise UsageError(f"{where}: '{base / table['folder']}' is no folder")
        made = [configuration_of(c, table, base, where) for c in table.get("configurations", [])]
        rest = configuration_of({}, table, base, where) if table.get("rest", True) else None
        exclude = tuple(table.get("exclude", []))
        projects.append(Project(table["name"], base / table["folder"], made, exclude, rest))
    return projects


# Finding shaders.


def has_compute_entry(data):
    """Whether a SPIR-V binary of either byte order names a compute entry point."""
    if len(data) < 20 or len(data) % 4:
        return False
    order = "<" if struct.unpack("<I", data[:4])[0] == SPIRV_MAGIC else ">"
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    at = 5
    while words[0] == SPIRV_MAGIC and at < len(words):
        length, op = words[at] >> 16, words[at] & 0xFFFF
        if op == OP_ENTRY_POINT and at + 1 < len(words) and words[at + 1] == GL_COMPUTE:
            return True
        if op == OP_FUNCTION or length == 0:
            return False
        at += length
    return False


def hlsl_entries(text):
    """The functions that carry numthreads."""
    pattern = r"\[\s*numthreads\s*\([^)]*\)\s*\](?:\s*\[[^]]*\])*\s*\w+\s+(\w+)\s*\("
    kept = re.sub(r"^\s*#\s*define(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    return list(dict.fromkeys(re.findall(pattern, kept, flags=re.I)))


def entries_of(path):
    """The entry points to compile a file for ("": the one or all that are there); none: no compute shader."""
    suffix = path.suffix.lower()
    if suffix not in SOURCES | BINARIES or OTHER_STAGES & {s.lower() for s in path.suffixes}:
        return []
    data = path.read_bytes()
    if suffix == ".spv":
        return [""] if has_compute_entry(data) else []
    text = data.decode(errors="replace")
    if suffix == ".spvasm" or text.startswith("; SPIR-V"):
        return [""] if re.search(r"OpEntryPoint\s+GLCompute", text) else []
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    if re.search(r"\bnumthreads\b", text, flags=re.I):
        return hlsl_entries(text)
    if suffix == ".comp" or ".comp." in path.name:
        # Without either it is a part of other shaders.
        return [""] if re.search(r"\bmain\b|#\s*include", text) else []
    return [""] if re.search(r"\blocal_size_[xyz]", text) and re.search(r"\bmain\b", text) else []


def source_beside(binary):
    """The source that a binary was made of, by its name: x.comp for x.comp.spv and x.spv."""
    stem = binary.with_suffix("")
    for candidate in [stem] + [stem.with_name(stem.name + s) for s in (".comp", ".hlsl", ".glsl")]:
        if candidate.suffix.lower() in SOURCES and candidate.is_file():
            return candidate
    return None


def find(project):
    """({file: its jobs}, {source: the binary beside it}); such binaries have no jobs of their own."""
    jobs, binaries = {}, {}
    for path in sorted(project.folder.rglob("*")):
        inner = path.relative_to(project.folder).as_posix()
        if not path.is_file() or any(fnmatch.fnmatch(inner, p) for p in project.exclude):
            continue
        entries = entries_of(path)
        source = source_beside(path) if entries and path.suffix.lower() == ".spv" else None
        if source:
            binaries[source] = path
        elif entries:
            fitting = [BINARY] if path.suffix.lower() in BINARIES else project.fitting(inner)
            if fitting:
                jobs[path] = [Job(project.name, path, c, e) for c in fitting for e in entries]
    return jobs, binaries
