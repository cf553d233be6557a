"""Runs the tools over the jobs, and keeps what came of it."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading

from surveying.projects import BINARY, Job, UsageError, find, source_beside


def with_prelude(text, prelude):
    """The prelude after the #version line; line numbers stay those of the file."""
    version = re.search(r"^[ \t]*#[ \t]*version[^\n]*\n", text, flags=re.M)
    at = version.end() if version else 0
    return f"{text[:at]}{prelude}\n#line {text.count(chr(10), 0, at) + 1}\n{text[at:]}"


def read_prelude(path):
    try:
        return path.read_text()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def first_error(stderr, job):
    """The first error of a log, with the file's own path."""
    lines = [line for line in stderr.splitlines() if "error:" in line] or stderr.splitlines() or [""]
    return lines[0].replace(str(job.input), str(job.path))


def techniques_of(kernel):
    """{technique: {legal, reason, location}} of a kernel in a manifest. A technique with several entries is
    legal when one of them is. Without a certificate the refused techniques are known alone, and resize is
    proven where it is not refused."""
    found = {}
    for entry in kernel.get("certificate", []):
        known = found.get(entry["technique"])
        if known is None or (entry["legal"] and not known["legal"]):
            found[entry["technique"]] = told(bool(entry["legal"]), entry)
    if "certificate" not in kernel:
        for entry in kernel.get("refused", []):
            found.setdefault(entry["technique"], told(False, entry))
        found.setdefault("resize", told(True, {}))
    return found


def told(legal, entry):
    return {"legal": legal, "reason": entry.get("reason") or "", "location": entry.get("location") or ""}


class Runner:
    """Runs processes with a time limit. `folder` is where files with their preludes are put."""

    def __init__(self, tool, opt, timeout, folder):
        self.tool, self.opt, self.timeout, self.folder = tool, opt, timeout, pathlib.Path(folder)

    def run(self, command):
        """(exit code, or None at the time limit; stdout; stderr; seconds of the processor). A busy machine adds
        to the time on the wall, but not to this."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            except OSError as error:
                raise UsageError(f"'{command[0]}' does not run: {error}") from error
            late = threading.Event()
            timer = threading.Timer(self.timeout, lambda: (late.set(), process.kill()))
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read())
        seconds = usage.ru_utime + usage.ru_stime
        if late.is_set():
            return None, b"", "error: no end within the time limit", seconds
        return process.returncode, texts[0], texts[1].decode(errors="replace"), seconds

    def prepare(self, job):
        """Sets the job's input and command; the options for both tools."""
        job.input, moved = job.path, []
        if job.configuration.prelude:
            name = re.sub(r"\W+", "-", f"{job.project}-{job.configuration.name}")
            folder = self.folder / name / str(job.path.resolve().parent).strip("/")
            folder.mkdir(parents=True, exist_ok=True)
            prelude = "\n".join(read_prelude(p) for p in job.configuration.prelude)
            job.input, moved = folder / job.path.name, ["-I", str(job.path.parent)]
            job.input.write_text(with_prelude(job.path.read_text(errors="replace"), prelude))
        options = moved + job.configuration.options() + (["--entry", job.entry] if job.entry else [])
        job.command = [self.tool, "analyze", "--format", "json", str(job.input)] + options
        return options

    def load(self, job):
        """{"state": "loaded", "key": the hash of the module without names and lines, "seconds"}, or what
        stopped it. Without spirv-tailor-opt everything counts as loaded, and has no key."""
        options = self.prepare(job)
        if not self.opt:
            return {"state": "loaded", "key": None, "seconds": 0.0}
        command = [self.opt, "--passes=strip-debug", str(job.input), "-o", "-"] + options
        code, out, err, seconds = self.run(command)
        if code == 0:
            return {"state": "loaded", "key": hashlib.sha256(out).hexdigest(), "seconds": seconds}
        return self.stopped(job, code, err, command)

    def stopped(self, job, code, err, command):
        how = "time limit" if code is None else f"signal {-code}" if code < 0 else f"exit {code}"
        state = "refused" if code == 1 else "fault"
        return {"state": state, "how": how, "command": command, "message": first_error(err, job)}

    def analyze(self, job, loading):
        """{"state": "analyzed", "seconds" without the `loading`, "kernels"}, or what stopped it."""
        code, out, err, seconds = self.run(job.command)
        if code != 0:
            return self.stopped(job, code, err, job.command)
        try:
            kernels = [self.kernel(job, kernel) for kernel in json.loads(out)["kernels"]]
        except (ValueError, KeyError, TypeError) as error:
            message = f"the manifest cannot be read: {error!r}"
            return {"state": "fault", "how": "bad JSON", "command": job.command, "message": message}
        return {"state": "analyzed", "seconds": max(0.0, seconds - loading), "kernels": kernels}

    def kernel(self, job, kernel):
        facts, techniques = kernel["facts"], techniques_of(kernel)
        for technique in techniques.values():
            technique["location"] = technique["location"].replace(str(job.input), str(job.path))
        return {
            "entry": kernel["entry_point"],
            "hash": kernel["source_hash"],
            "class": facts["class"],
            "local_size": kernel["authored"]["local_size"],
            "shared_bytes": facts["shared_bytes"],
            "control_barriers": facts["control_barriers"],
            "techniques": techniques,
        }


class Survey:
    """What was found in all projects so far: `report` is what the JSON file holds."""

    def __init__(self, runner, jobs):
        self.runner = runner
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.report = {"projects": {}, "kernels": [], "not_compiled": [], "faults": []}
        self.keys = set()

    def project(self, project, all_binaries):
        """A binary beside its source is used where the source does not compile."""
        counts = dict.fromkeys(["files", "compiled", "loads", "modules"], 0)
        self.report["projects"][project.name] = counts
        jobs, binaries = find(project)
        loaded = self.batch([job for of_file in jobs.values() for job in of_file], counts)
        used = [b for source, b in binaries.items() if all_binaries or source not in loaded]
        loaded |= self.batch([Job(project.name, b, BINARY) for b in used], counts)
        files = set(jobs) | {b for b in used if source_beside(b) not in jobs}
        counts["files"] = len(files)
        counts["compiled"] = sum(f in loaded or binaries.get(f) in loaded for f in files)

    def batch(self, jobs, counts):
        """Loads the jobs and analyzes the modules that are new. The files of which something loaded."""
        loaded, fresh = set(), []
        counts["loads"] += len(jobs)
        for job, outcome in zip(jobs, self.pool.map(self.runner.load, jobs)):
            if outcome["state"] != "loaded":
                self.record(job, outcome)
                continue
            loaded.add(job.path)
            key = (outcome["key"], job.entry, job.configuration.spec)
            if outcome["key"] is None or key not in self.keys:
                self.keys.add(key)
                fresh.append((job, outcome["seconds"]))
        for (job, _), outcome in zip(fresh, self.pool.map(lambda pair: self.runner.analyze(*pair), fresh)):
            self.record(job, outcome)
            counts["modules"] += outcome["state"] == "analyzed"
            if not self.runner.opt and outcome["state"] == "refused":
                loaded.discard(job.path)
        return loaded

    def record(self, job, outcome):
        where = {"project": job.project, "file": str(job.path), "configuration": job.configuration.name}
        where["entry"] = job.entry
        if outcome["state"] == "analyzed":
            about = {**where, "command": job.command, "seconds": round(outcome["seconds"], 4)}
            self.report["kernels"] += [{**about, **kernel} for kernel in outcome["kernels"]]
            return
        about = {**where, "how": outcome["how"], "message": outcome["message"], "command": outcome["command"]}
        self.report["faults" if outcome["state"] == "fault" else "not_compiled"].append(about)
