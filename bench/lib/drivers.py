"""Builds the drivers of bench/ad and bench/paper for a back end and runs them.

A back end is a command of `raido` (or `futhark`, whose library interface is the same) with what its
programs are linked with.  Nothing here assumes that one works: `probe` compiles and runs a small
program and says why not.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.dirname(HERE)
FLAGS = "-O3 -march=native -fno-math-errno -fno-trapping-math"
# Without the instructions of one machine alone, which valgrind may not know.
PLAIN_FLAGS = "-O3 -fno-math-errno -fno-trapping-math"

# In the order of the report, with what they are.
PROGRAMS = {
    "ba": "Bundle adjustment (ADBench): errors and the sparse Jacobian by rows",
    "lstm": "D-LSTM (ADBench): a recurrent network with diagonal weights",
    "gmm": "Gaussian mixtures (ADBench, and at the paper's sizes for devices)",
    "ht": "Hand tracking (ADBench), complicated and simple",
    "rsbench": "RSBench: cross sections from poles of resonances",
    "xsbench": "XSBench: cross sections from tables",
    "lbm": "LBM: flow by the lattice-Boltzmann method",
    "kmeans": "Dense k-means by Newton's method: gradient and Hessian diagonal by nested derivatives",
    "kmeans_sparse": "Sparse k-means by Newton's method",
    "lstm_batch": "LSTM on batches, with products of matrices",
    "llsq": "Linear least squares (GradBench)",
    "lse": "Log-sum-exp (GradBench)",
    "ode": "A chain of differential equations (GradBench)",
    "det": "Determinants by minors (GradBench)",
    "particle": "A particle among charges, nested derivatives (GradBench)",
    "saddle": "A saddle point, nested derivatives (GradBench)",
}

# What each is linked with, and whether its rows at the paper's sizes are run.
LINKS = {"c": ["-lm"], "multicore": ["-pthread", "-lm"], "opencl": ["-ldl", "-pthread", "-lm"],
         "cuda": ["-ldl", "-pthread", "-lm"], "futhark": ["-lm"]}
DEVICES = {"opencl", "cuda"}


def has_gpu():
    """Whether OpenCL's device is likely to be more than this machine's own cores."""
    return any(shutil.which(tool) for tool in ("nvidia-smi", "rocm-smi"))


class Failure(Exception):
    pass


def run(command, timeout, **options):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=timeout, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"took more than {timeout} s")
    except OSError as e:
        raise Failure(str(e))
    return done.returncode, done.stdout


def folder_of(program):
    for folder in ("paper", "ad"):
        if os.path.exists(os.path.join(BENCH, folder, program + ".c")):
            return os.path.join(BENCH, folder)
    raise Failure("no such program")


class Builder:
    def __init__(self, raido, work):
        self.raido, self.work = raido, work
        self.cc = os.environ.get("CC", "cc")
        self.built = {}                 # (back end, program, flags): a future of the path

    def compiler(self, backend):
        return ["futhark", "c"] if backend == "futhark" else [self.raido, backend, "-w"]

    def library(self, backend, source, folder, name):
        """Compiles a program to name.c and name.h in the folder."""
        os.makedirs(folder, exist_ok=True)
        code, text = run(self.compiler(backend) + ["--library", "-o", os.path.join(folder, name), source],
                         600)
        if code:
            raise Failure("does not compile: " + (text.strip().splitlines() or ["?"])[0])

    def link(self, backend, folder, sources, out, flags, defines=()):
        includes = [f"-I{d}" for d in (folder, os.path.join(BENCH, "paper"), os.path.join(BENCH, "ad"),
                                       os.path.join(BENCH, "cpu"))]
        command = [self.cc] + flags.split() + ["-std=gnu11", "-w"] + list(defines) + includes + \
            ["-o", out] + sources + LINKS[backend]
        code, text = run(command, 900)
        if code:
            raise Failure("the C compiler failed: " + (text.strip().splitlines() or ["?"])[0])

    def build_all(self, wanted, jobs):
        """Begins to build drivers, several at a time: (back end, program, flags)."""
        pool = concurrent.futures.ThreadPoolExecutor(jobs)
        for key in wanted:
            self.built[key] = pool.submit(self.build, *key)
        return pool

    def driver(self, backend, program, flags=None):
        """The path of the driver of a program, built."""
        key = backend, program, flags
        return self.built[key].result() if key in self.built else self.build(*key)

    def build(self, backend, program, flags):
        flags = flags or os.environ.get("CFLAGS", FLAGS)
        plain = "-plain" if flags == PLAIN_FLAGS else ""
        folder = os.path.join(self.work, backend + plain)
        out = os.path.join(folder, program + ".bench")
        source = folder_of(program)
        self.library(backend, os.path.join(source, program + ".fut"), folder, program)
        clock = [] if backend in ("c", "futhark") else ["-DBENCH_CLOCK=CLOCK_MONOTONIC"]
        self.link(backend, folder, [os.path.join(source, program + ".c"),
                                    os.path.join(folder, program + ".c")], out, flags, clock)
        return out

    def probe(self, backend):
        """None if programs of the back end run on this machine, or why not."""
        folder = os.path.join(self.work, "probe-" + backend)
        os.makedirs(folder, exist_ok=True)
        source, main = os.path.join(folder, "p.fut"), os.path.join(folder, "main.c")
        with open(source, "w") as f:
            f.write("entry twice (n: i64) : i64 = i64.sum (map (* 2) (iota n))\n")
        with open(main, "w") as f:
            f.write('#include "p.h"\nint main(void) {\n'
                    "struct futhark_context_config *cfg = futhark_context_config_new();\n"
                    "struct futhark_context *ctx = futhark_context_new(cfg);\n"
                    "int64_t r = 0;\n"
                    "return futhark_context_get_error(ctx) || futhark_entry_twice(ctx, &r, 10) ||\n"
                    "futhark_context_sync(ctx) || r != 90;\n}\n")
        try:
            if backend == "futhark" and not shutil.which("futhark"):
                return "not installed"
            self.library(backend, source, folder, "p")
            out = os.path.join(folder, "probe")
            self.link(backend, folder, [main, os.path.join(folder, "p.c")], out, "-O1")
            code, _ = run([out], 120)
            return None if code == 0 else "no device, or its programs fail"
        except Failure as e:
            text = str(e)
            return "no such command of raido yet" if "nknown command" in text or "no such command" in \
                text.lower() else text


def data_files(program):
    """The problems of ADBench that are in the tree."""
    folder = os.path.join(BENCH, "paper", "problems", program)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, n) for n in names if n.endswith(".txt")]


def rows_of(path, backend, environment, timeout, files=()):
    """Runs a driver, on files or its own rows: rows as dictionaries, and what it complained about."""
    log = path + ".json"
    if os.path.exists(log):
        os.remove(log)
    env = {**os.environ, "BENCH_JSON": log, "BENCH_SIZES": "all" if backend in DEVICES and has_gpu() else "some",
           **environment}
    problem = None
    try:
        code, text = run([path] + list(files), timeout, env=env)
        if code:
            lines = [l for l in text.splitlines() if "differ" in l or "derivative" in l]
            problem = (lines or text.strip().splitlines() or [f"exit status {code}"])[-1]
    except Failure as e:
        problem = str(e)
    rows = []
    if os.path.exists(log):
        with open(log) as f:
            rows = [json.loads(line) for line in f]
    return rows, problem
