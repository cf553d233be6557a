"""Runs a command with a terminal as its stdout, and says whether it wrote escape sequences."""
import os
import pty
import sys

written = b""


def read(descriptor):
    global written
    data = os.read(descriptor, 65536)
    written += data
    return data


devnull = os.open(os.devnull, os.O_WRONLY)
saved = os.dup(1)
os.dup2(devnull, 1)
status = pty.spawn(sys.argv[1:], read)
os.dup2(saved, 1)
assert status == 0, status
assert b"Techniques" in written
print("escapes:", b"\x1b[" in written)
