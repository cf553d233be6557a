"""Compares the driver's help with docs/cli.md: check_options.py PROGRAM DOCS

Every command has a section `## COMMAND`, each option of its `--help` stands in that section in the first column of a
table, with every spelling, and no section names an option that the help does not have.
"""
import re
import subprocess
import sys

program, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()


def help_of(*command):
    return subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout


def options_of(help_text):
    """Each option's spellings, -h left out: `-o,--output` -> {-o, --output}."""
    found = set()
    for line in help_text.split("\nOptions:\n", 1)[1].splitlines():
        if match := re.match(r"  (-\S+)", line):
            found |= set(match[1].split(","))
    return found - {"-h", "--help"}


def subcommands_of(help_text):
    head, *rest = help_text.split("\nSubcommands:\n", 1)
    return re.findall(r"^  ([a-z]+) ", rest[0].split("\n\n", 1)[0], re.M) if rest else []


def all_options_of(command):
    """Those of a command and of its own commands (`db list`)."""
    text = help_of(*command)
    return options_of(text).union(*(all_options_of([*command, sub]) for sub in subcommands_of(text)))


commands = subcommands_of(help_of())
assert "build" in commands and "tune" in commands, commands
faults = []
sections = dict(re.findall(r"^## ([a-z]+)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
for gone in sorted(set(sections) - set(commands)):
    faults.append(f"{path} has a section '{gone}', and there is no such command")
for command in commands:
    if command not in sections:
        faults.append(f"{path} has no section '{command}'")
        continue
    rows = re.findall(r"^\| (`-.*?) \|", sections[command], re.M)
    documented = {word for row in rows for word in re.findall(r"(?<![\w-])(--?[A-Za-z][\w-]*)", row)}
    options = all_options_of([command])
    for sub in subcommands_of(help_of(command)):
        if f"spirv-tailor {command} {sub}" not in sections[command]:
            faults.append(f"{command} {sub}: no example")
    faults += [f"{command}: {option} is not documented" for option in sorted(options - documented)]
    faults += [f"{command}: {option} is documented, and does not exist" for option in sorted(documented - options)]
    if f"spirv-tailor {command}" not in sections[command]:
        faults.append(f"{command}: no example")
    print(command, len(options), "options")
for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
