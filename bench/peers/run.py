#!/usr/bin/env python3
"""Times a benchmark in NumPy, JAX or PyTorch, on one core, and compares the results with those in C;
the data are what a driver left:
    run.py FRAMEWORK PROGRAM FOLDER [ROW...]
Prints a line of JSON for each row: {"row", "seconds": [primal, derivative], "off": [..], "absent": [..]},
where `off` is the largest difference from the results in C, relative to the largest of those, and
`absent` a word for what the framework does not have.
"""
import json
import os
import sys
import time

import numpy as np

import frameworks
import models

SECONDS = float(os.environ.get("BENCH_SECONDS", "1"))


def load(folder):
    return {name[:-4]: np.load(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


def off(expected, got, relative):
    if expected.size != got.size:
        return float("inf")
    top = 1e-9 + np.abs(expected.reshape(-1)) if relative else max(1.0, float(np.abs(expected).max()))
    return float((np.abs(expected.reshape(-1) - np.asarray(got, float).reshape(-1)) / top).max())


def best_time(fw, f, x):
    best, start, runs = float("inf"), time.perf_counter(), 0
    while runs < 3 or time.perf_counter() - start < SECONDS / 2:
        t = time.perf_counter()
        fw.wait(f(x))
        best = min(best, time.perf_counter() - t)
        runs += 1
        if runs >= 100 or time.perf_counter() - start > 20:
            break
    return best


def flat(fw, result):
    parts = result if isinstance(result, tuple) else (result,)
    return np.concatenate([np.asarray(fw.numpy(p)).reshape(-1) for p in parts])


def run_row(fw, program, folder):
    """Times and differences of both, and words for what is not there."""
    data = load(folder)
    why = models.impossible(fw.name, program, data)
    seconds, offs, absent = [None, None], [None, None], [None, None if fw.differentiates else "no AD"]
    if why:
        return seconds, offs, [None if "primal" not in data else why, why]
    relative = program in models.RELATIVE
    f, x, derivative = models.ALL[program](fw, data)
    if f:
        primal = fw.function(f)
        offs[0] = off(data["primal"], flat(fw, fw.wait(primal(x))), relative)
        seconds[0] = best_time(fw, primal, x)
    if fw.differentiates:
        g = derivative(f)
        expected = np.concatenate([data[k].reshape(-1) for k in sorted(data) if k.startswith("gradient")])
        offs[1] = off(expected, flat(fw, fw.wait(g(x))), relative)
        seconds[1] = best_time(fw, g, x)
    return seconds, offs, absent


def main():
    name, program, folder = sys.argv[1:4]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})         # one core, like the others
    fw = frameworks.ALL[name]()
    # A stand-in for what NumPy does not do.
    for kind in ("gradient", "newton", "pullback", "rows", "columns"):
        if not hasattr(fw, kind):
            setattr(fw, kind, None)
    for row in sys.argv[4:]:
        seconds, offs, absent = run_row(fw, program, os.path.join(folder, row))
        print(json.dumps({"row": row, "seconds": seconds, "off": offs, "absent": absent}), flush=True)


if __name__ == "__main__":
    main()
