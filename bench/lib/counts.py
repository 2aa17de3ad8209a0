"""Counts instructions of the functions and derivatives with callgrind: what noise does not touch.

A driver runs under callgrind several times, each time with one more call of one of the four; the
difference of the totals is what the call costs.  (How callgrind attributes instructions to functions
depends on the machine; totals do not.)
"""
import os
import re
import shutil

from drivers import Failure, PLAIN_FLAGS, run

# A small row of each program.
ROWS = {
    "ba": "ba 1", "lstm": "lstm 2 256", "gmm": "gmm 10 25 1000", "ht": "ht 8 complicated",
    "rsbench": "rsbench 100", "xsbench": "xsbench 1000", "lbm": "lbm 8 8 8 4", "kmeans": "kmeans 100 1000 8",
    "kmeans_sparse": "kmeans_sparse 20k", "lstm_batch": "lstm_batch 32 10 30 24", "llsq": "llsq 256",
    "lse": "lse 40000", "ode": "ode 1000 10", "det": "det 7", "particle": "particle rr",
    "saddle": "saddle rr",
}
WITHOUT_PRIMAL = {"particle", "saddle"}


def installed():
    return shutil.which("valgrind") is not None


def total(driver, row, again):
    env = {**os.environ, "BENCH_ONCE": "1", "BENCH_ROW": row, "BENCH_SIZES": "some", "BENCH_AGAIN": again}
    _, text = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", driver], 120, env=env)
    m = re.search(r"Collected : (\d+)", text)
    if not m:
        raise Failure("does not run under valgrind: " + (text.strip().splitlines() or ["?"])[-1])
    return int(m.group(1))


def count(builder, program):
    """{"row", "counts": [primal, derivative, primal in C, derivative in C]}"""
    driver, row = builder.driver("c", program, PLAIN_FLAGS), ROWS[program]
    base = total(driver, row, "-1")
    out = []
    for k in range(4):
        absent = program in WITHOUT_PRIMAL and k % 2 == 0
        out.append(None if absent else total(driver, row, str(k)) - base)
    return {"row": row, "counts": out}
