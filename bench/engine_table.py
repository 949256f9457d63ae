"""Reads the table that davit_bench_engine prints: {work: seconds}; speeds in multiples of real time as seconds per second."""
import re

UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
KERNEL = "forward dynamics, ship crane of 11 DOF"


def read(text):
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        figure = re.fullmatch(r"([0-9.e+]+|inf) (ns|µs|ms|s|x)", cells[1]) if len(cells) > 2 else None
        if not figure:
            continue
        value, unit = float(figure[1]), figure[2]
        rows[cells[0]] = 1 / value if unit == "x" else value * UNITS[unit]
    return rows
