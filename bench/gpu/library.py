"""Generated libraries from Python: a program compiled by `raido BACKEND --library`, by its manifest.

    p = Program.build("gmm.fut", "cuda", folder)
    xs = p.array(np.ones(5))             # to where the program has its arrays
    y = p.call("main", xs, 3)            # a scalar, an array, or a list of the components of a tuple
    p.numpy(y)
"""
import ctypes as c
import json
import os
import subprocess
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RAIDO = os.environ.get("RAIDO", os.path.join(ROOT, "build", "raido"))
SCALARS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
           "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f32": np.float32, "f64": np.float64,
           "bool": np.bool_}
C_TYPES = {"i8": c.c_int8, "i16": c.c_int16, "i32": c.c_int32, "i64": c.c_int64, "u8": c.c_uint8,
           "u16": c.c_uint16, "u32": c.c_uint32, "u64": c.c_uint64, "f32": c.c_float,
           "f64": c.c_double, "bool": c.c_bool}


class Array:
    """A value of the program's: a pointer and its type; freed with it."""

    def __init__(self, program, type_name, pointer):
        self.program, self.type, self.pointer = program, type_name, pointer

    def __del__(self):
        if self.pointer and self.program.ctx:
            self.program.function(self.program.types[self.type]["ops"]["free"])(
                self.program.ctx, self.pointer)


def commands(source, backend, base):
    """What makes the shared object `base`.so, and its manifest, of a program: raido, then the C compiler."""
    return ([RAIDO, backend, "-w", "--library", "-o", base, source],
            [os.environ.get("CC", "cc"), "-O3", "-march=native", "-std=gnu11", "-fno-math-errno",
             "-fno-trapping-math", "-shared", "-fPIC", "-o", base + ".so", base + ".c", "-lm", "-lpthread",
             "-ldl"])


class Program:
    @staticmethod
    def build(source, backend, folder, name=None, profile=False):
        """Compiles a program to a shared object in a folder; says what went wrong by an exception."""
        name = name or os.path.splitext(os.path.basename(source))[0]
        base = os.path.join(folder, f"{name}-{backend}")
        for command in commands(source, backend, base):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-2000:]}")
        return Program(base + ".so", base + ".json", profile=profile)

    def __init__(self, library, manifest, tuning=None, profile=False, threads=0, deterministic=False):
        self.lib = c.CDLL(library)
        with open(manifest) as f:
            manifest = json.load(f)
        self.types, self.entries = manifest["types"], manifest["entry_points"]
        self.ctx = None
        self.cfg = self.function("futhark_context_config_new", c.c_void_p)()
        for name, value in (tuning or {}).items():
            self.function("futhark_context_config_set_tuning_param")(
                c.c_void_p(self.cfg), name.encode(), c.c_size_t(value))
        self.function("futhark_context_config_set_profiling")(c.c_void_p(self.cfg), int(profile))
        if threads:
            self.function("futhark_context_config_set_num_threads")(c.c_void_p(self.cfg), threads)
        if deterministic:
            self.function("futhark_context_config_set_deterministic")(c.c_void_p(self.cfg), 1)
        start = time.perf_counter()
        self.ctx = c.c_void_p(self.function("futhark_context_new", c.c_void_p)(c.c_void_p(self.cfg)))
        self.seconds = time.perf_counter() - start # OpenCL compiles kernels there, CUDA when they are needed
        if self.error():
            raise RuntimeError(self.last)

    def close(self):
        if self.ctx:
            self.function("futhark_context_free")(self.ctx)
            self.ctx = None

    def function(self, name, result=c.c_int):
        f = getattr(self.lib, name)
        f.restype = result
        return f

    def error(self):
        p = self.function("futhark_context_get_error", c.c_void_p)(self.ctx)
        self.last = c.string_at(p).decode() if p else None
        return self.last

    def check(self, err):
        if err:
            raise RuntimeError(self.error() or self.last or "unknown error")

    def sync(self):
        self.check(self.function("futhark_context_sync")(self.ctx))

    def clear(self):
        """Gives memory back that is kept for later calls."""
        self.check(self.function("futhark_context_clear_caches")(self.ctx))

    def report(self):
        """What was profiled since the last report."""
        f = self.function("futhark_context_report", c.c_void_p)
        p = f(self.ctx)
        out = json.loads(c.string_at(p).decode())
        c.CDLL(None).free(c.c_void_p(p))
        return out

    # ---- Values ----

    def array(self, x):
        """From an array of NumPy's."""
        x = np.ascontiguousarray(x)
        elem = next(name for name, t in SCALARS.items() if t == x.dtype.type)
        name = "[]" * x.ndim + elem
        new = self.function(self.types[name]["ops"]["new"], c.c_void_p)
        p = new(self.ctx, c.c_void_p(x.ctypes.data), *(c.c_int64(n) for n in x.shape))
        if not p:
            self.check(1)
        self.sync()
        return Array(self, name, c.c_void_p(p))

    def give(self, name, x):
        """An argument of an entry point: scalars by value."""
        return x.pointer if isinstance(x, Array) else C_TYPES[name](x)

    def call(self, entry, *args):
        """Starts an entry point; see sync."""
        e = self.entries[entry]
        name = e["output"]["type"]
        out = C_TYPES[name]() if name in C_TYPES else c.c_void_p()
        given = [self.give(i["type"], a) for i, a in zip(e["inputs"], args)]
        self.check(self.function(e["cfun"])(self.ctx, c.byref(out), *given))
        return out.value if name in C_TYPES else Array(self, name, out)

    def prepared(self, entry, *args):
        """A function that calls an entry point, waits and frees the result, with little of Python around it."""
        e = self.entries[entry]
        name = e["output"]["type"]
        out = C_TYPES[name]() if name in C_TYPES else c.c_void_p()
        given = [self.ctx, c.byref(out)] + [self.give(i["type"], a) for i, a in zip(e["inputs"], args)]
        f, sync = self.function(e["cfun"]), self.function("futhark_context_sync")
        free = None if name in C_TYPES else self.function(self.types[name]["ops"]["free"])
        ctx = self.ctx

        def call():
            err = f(*given) or sync(ctx)
            if err:
                self.check(err)
            if free:
                free(ctx, out)
        return call

    def numpy(self, x):
        """As an array of NumPy's, or a list of them."""
        if not isinstance(x, Array):
            return np.asarray(x)
        t = self.types[x.type]
        if t["kind"] == "array":
            shape = self.function(t["ops"]["shape"], c.POINTER(c.c_int64))(self.ctx, x.pointer)
            out = np.empty([shape[i] for i in range(t["rank"])], SCALARS[t["elemtype"]])
            self.check(self.function(t["ops"]["values"])(self.ctx, x.pointer,
                                                         c.c_void_p(out.ctypes.data)))
            self.sync()
            return out
        parts = []
        for f in t["record"]["fields"]:
            scalar = f["type"] in C_TYPES
            out = C_TYPES[f["type"]]() if scalar else c.c_void_p()
            self.check(self.function(f["project"])(self.ctx, c.byref(out), x.pointer))
            parts.append(np.asarray(out.value) if scalar else self.numpy(Array(self, f["type"], out)))
        return parts
