"""Adds a report up, and prints it."""

import collections
import re

TECHNIQUES = ["resize", "remap", "pack", "coarsen", "swizzle", "respecialize"]
SHARES = [
    ("resize or remap", {"resize", "remap"}),
    ("or pack or coarsen", {"resize", "remap", "pack", "coarsen"}),
]


def normalized(text):
    """A message without what differs from file to file: the place, names, ids, numbers."""
    text = re.sub(r"^.*?error: ", "", text)
    text = re.sub(r"'(?!Op[A-Z])[^']*'", "'...'", text)
    text = re.sub(r"%\w+", "%...", text)
    text = re.sub(r"header name: .*", "header name: ...", text)
    return re.sub(r"\b\d+\b", "N", text)


def is_proven(kernel, techniques):
    return any(kernel["techniques"].get(t, {}).get("legal") for t in techniques)


def counted(words):
    return dict(collections.Counter(words).most_common())


def summarize(report):
    kernels = report["kernels"]
    files = collections.defaultdict(list)
    for kernel in kernels:
        files[kernel["file"]].append(kernel)
    summary = {"kernels": len(kernels), "files": len(files), "classes": counted(k["class"] for k in kernels)}
    summary.update({"techniques": {}, "refusals": {}, "shares": {}})
    for technique in TECHNIQUES:
        told = [k["techniques"][technique] for k in kernels if technique in k["techniques"]]
        if told:
            proven = sum(t["legal"] for t in told)
            summary["techniques"][technique] = {"proven": proven, "refused": len(told) - proven}
            summary["refusals"][technique] = counted(normalized(t["reason"]) for t in told if not t["legal"])
    for name, techniques in SHARES:
        proven = [is_proven(k, techniques) for k in kernels]
        whole = [all(is_proven(k, techniques) for k in own) for own in files.values()]
        summary["shares"][name] = {"kernels": sum(proven), "files": sum(whole)}
    summary["not_compiled"] = counted(normalized(n["message"]) for n in report["not_compiled"])
    return summary


def tag(record):
    """Names a kernel, a load or a fault: the same in each report over the same files."""
    words = [record["file"]]
    if record["configuration"] not in ("as is", "binary"):
        words.append(f"[{record['configuration']}]")
    return " ".join(words + ([record["entry"]] if record["entry"] not in ("", "main") else []))


def share(count, total):
    return f"{count} {100 * count / total:5.1f} %" if total else f"{count}"


def print_table(title, rows):
    """Rows of equally many cells: the first to the left, the others to the right."""
    if not rows:
        return
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    print(f"\n{title}")
    for row in rows:
        cells = [c.rjust(w) if at else c.ljust(w) for at, (c, w) in enumerate(zip(row, widths))]
        print("  " + "  ".join(cells).rstrip())


def print_projects(report):
    columns = ["files", "compiled", "loads", "modules"]
    rows = [["project"] + columns + ["kernels"] + [name for name, _ in SHARES]]
    for project, counts in report["projects"].items():
        own = [k for k in report["kernels"] if k["project"] == project]
        proven = [share(sum(is_proven(k, t) for k in own), len(own)) for _, t in SHARES]
        rows.append([project] + [counts[c] for c in columns] + [len(own)] + proven)
    summary, everything = report["summary"], report["projects"].values()
    proven = {kind: [summary["shares"][n][kind] for n, _ in SHARES] for kind in ("kernels", "files")}
    sums = [sum(counts[c] for counts in everything) for c in columns]
    total = summary["kernels"]
    rows.append(["all"] + sums + [total] + [share(count, total) for count in proven["kernels"]])
    whole = [share(count, summary["files"]) for count in proven["files"]]
    rows.append(["files with every kernel proven", summary["files"]] + [""] * 4 + whole)
    print_table("loads: files times configurations; modules: those unlike all before", rows)


def print_report(report):
    summary, kernels = report["summary"], report["kernels"]
    total = summary["kernels"]
    print_projects(report)
    print_table("classes", [[name, share(count, total)] for name, count in summary["classes"].items()])
    rows = [[t, share(c["proven"], total), share(c["refused"], total)] for t, c in summary["techniques"].items()]
    print_table("techniques", [["", "proven", "refused"]] + rows if rows else [])
    for technique, reasons in summary["refusals"].items():
        print_table(f"{technique} is refused because", [[r or "(no reason)", c] for r, c in reasons.items()])
    print_table("loads that were refused because", list(summary["not_compiled"].items())[:40])
    slow = sorted(kernels, key=lambda k: -k["seconds"])[:10]
    rows = [[tag(k), f"{k['seconds']:.3f}"] for k in slow]
    print_table("slowest analyses, in seconds of the processor, without loading", rows)
    for fault in report["faults"]:
        print(f"\nfault: {tag(fault)}: {fault['how']}: {fault['message']}\n  {' '.join(fault['command'])}")
    print(f"\n{total} kernels, {len(report['not_compiled'])} loads refused, {len(report['faults'])} faults")


def print_changes(report, old, name):
    """What is proven and was not before, and the other way."""
    before = {tag(k): k["techniques"] for k in old["kernels"] if k["project"] in report["projects"]}
    rows = []
    for kernel in report["kernels"]:
        for technique, now in kernel["techniques"].items():
            was = before.get(tag(kernel), {}).get(technique)
            if was and was["legal"] != now["legal"]:
                sign = "+" if now["legal"] else "-"
                rows.append(f"{sign} {technique}: {tag(kernel)}: {now['reason'] or was['reason']}")
    gone = set(before) - {tag(k) for k in report["kernels"]}
    rows += [f"- analysis: {kernel}: it was analyzed before" for kernel in gone]
    print(f"\n{len(rows)} changes against {name}")
    for row in sorted(rows):
        print(f"  {row}")
