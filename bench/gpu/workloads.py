"""The programs that are measured, with their data and shapes; see `run`.

A workload has rows; each has the arguments of an entry point (NumPy's arrays, made when asked for),
smaller ones to check the results with, and what `bench/peers/models.py` calls it, if it is there.
"""
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PAPER = os.path.join(os.path.dirname(HERE), "paper")


class Row:
    def __init__(self, name, data, entries, check=None, model=None, floor=None):
        self.name = name
        self.data = data                # () -> {name: array}, in the order of the arguments
        self.entries = entries          # [(what, entry point)]
        self.check = check or data      # likewise, of a size that a processor can do
        self.model = model              # a name in bench/peers/models.py, or None
        self.floor = floor or {}        # entry point -> (bytes moved, operations)


class Workload:
    def __init__(self, name, source, rows, f32=False, tolerance=1e-9):
        self.name, self.source, self.rows = name, source, rows
        self.f32 = f32                  # the program with f64 replaced throughout
        self.tolerance = tolerance


def rng():
    return np.random.default_rng(1)


def typed(data, f32):
    """Floats of the type of the program."""
    return {k: v.astype(np.float32) if f32 and isinstance(v, np.ndarray) and v.dtype == np.float64 else v
            for k, v in data.items()}


# ---- GMM ----

def gmm_data(n, d, k):
    def make():
        r = rng()
        t = d * (d - 1) // 2
        return {"gamma": 1.0, "m": 0, "alpha": r.standard_normal(k), "mu": r.random((k, d)),
                "q": 0.1 * r.standard_normal((k, d)), "l": 0.1 * r.standard_normal((k, t)) / np.sqrt(d),
                "x": r.standard_normal((n, d))}
    return make


GMM = {"D0": (1000, 64, 200), "D1": (1000, 128, 200), "D2": (10000, 32, 200), "D3": (10000, 64, 25),
       "D4": (10000, 128, 25), "D5": (10000, 128, 200)}


def gmm(f32, small):
    rows = [Row(f"{name} {shape}", gmm_data(*shape), [("primal", "primal"), ("derivative", "gradient")],
                check=gmm_data(max(shape[0] // 10, 10), shape[1], min(shape[2], 25)), model="gmm")
            for name, shape in GMM.items()]
    if small:
        rows = [Row("small", gmm_data(50, 6, 5), [("primal", "primal"), ("derivative", "gradient")], model="gmm")]
    return Workload("gmm_f32" if f32 else "gmm_f64", os.path.join(PAPER, "gmm.fut"), rows, f32,
                    2e-3 if f32 else 1e-9)


# ---- LSTM ----

def lstm_data(b, n, d, h):
    def make():
        r = rng()
        s = 1 / np.sqrt(h)
        return {"xs": r.standard_normal((n, b, d)), "wanted": r.random((n, b, h)),
                "wx": s * r.standard_normal((4 * h, d)), "wh": s * r.standard_normal((4 * h, h)),
                "bias": s * r.standard_normal(4 * h)}
    return make


def lstm(small):
    entries = [("primal", "primal_f32"), ("derivative", "gradient_f32")]
    shapes = {"D0": (1024, 20, 300, 192), "D1": (1024, 300, 80, 256)}
    rows = [Row(f"{name} {shape}", lstm_data(*shape), entries,
                check=lstm_data(64, 10, shape[2], shape[3]), model="lstm_batch")
            for name, shape in shapes.items()]
    if small:
        rows = [Row("small", lstm_data(4, 3, 5, 6), entries, model="lstm_batch")]
    w = Workload("lstm", os.path.join(PAPER, "lstm_batch.fut"), rows, False, 2e-3)
    w.floats = np.float32
    return w


# ---- k-means ----

def kmeans_data(k, n, d):
    def make():
        r = rng()
        points = r.random((n, d))
        return {"points": points, "centres": points[r.permutation(n)[:k]] + 0.01 * r.random((k, d))}
    return make


def kmeans(small):
    entries = [("primal", "primal"), ("derivative", "direction")]
    shapes = [(5, 494019, 35), (1024, 10000, 256)]
    rows = [Row(str(s), kmeans_data(*s), entries,
                check=kmeans_data(min(s[0], 50), min(s[1], 20000), s[2]), model="kmeans") for s in shapes]
    if small:
        rows = [Row("small", kmeans_data(4, 200, 5), entries, model="kmeans")]
    return Workload("kmeans", os.path.join(PAPER, "kmeans.fut"), rows, True, 2e-2)


def sparse_data(rows, columns, nonzeros, k=10):
    def make():
        r = rng()
        # Rows of very different lengths, columns of very different weight.
        weights = r.pareto(1.2, rows) + 0.05
        lengths = np.maximum(1, (weights / weights.sum() * nonzeros).astype(np.int64))
        lengths = np.minimum(lengths, columns)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        z = int(starts[-1])
        cols = (columns * r.random(z) ** 2).astype(np.int32)
        return {"values": r.random(z) * 5, "columns": cols, "starts": starts.astype(np.int64),
                "centres": r.random((k, columns))}
    return make


def kmeans_sparse(small):
    entries = [("primal", "primal"), ("derivative", "direction")]
    shapes = {"movielens-like": (138493, 26744, 20_000_000), "nytimes-like": (299752, 102660, 69_700_000),
              "scRNA-like": (66265, 26485, 87_800_000)}
    rows = [Row(f"{name} {s}", sparse_data(*s), entries, check=sparse_data(2000, s[1] // 10, 200_000),
                model="kmeans_sparse") for name, s in shapes.items()]
    if small:
        rows = [Row("small", sparse_data(30, 20, 200, 3), entries, model="kmeans_sparse")]
    return Workload("kmeans_sparse", os.path.join(PAPER, "kmeans_sparse.fut"), rows, True, 2e-2)


# ---- Cross sections ----

COUNTS = [34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9]


def materials(r, n):
    nuclides = np.zeros((12, 34), np.int32)
    for m, count in enumerate(COUNTS):
        nuclides[m, :count] = r.permutation(n)[:count]
    return np.array(COUNTS, np.int32), nuclides, r.random((12, 34))


def xsbench_data(lookups, grid=11303, n=68, gradient=True):
    def make():
        r = rng()
        tables = r.random((n, grid, 6))
        tables[:, :, 0].sort(axis=1)
        energies = np.sort(tables[:, :, 0].reshape(-1))
        index = np.stack([np.clip(np.searchsorted(tables[i, :, 0], energies, side="right") - 1, 0, grid - 2)
                          for i in range(n)], 1).astype(np.int32)
        counts, nuclides, densities = materials(r, n)
        return {"lookups": lookups, "energies": energies, "index": index, "counts": counts,
                "nuclides": nuclides, "densities": densities, "grid": tables,
                "seed": np.array([1, 0.7, -0.4, 0.2, 2.0])}
    return make


def rsbench_data(lookups, n=68, poles=1000, windows=100):
    """As RSBench makes its data: numbers of poles and windows around a mean, poles far from most energies."""
    def make():
        r = rng()
        counts, nuclides, densities = materials(r, n)
        num_poles = 1 + r.multinomial((poles - 1) * n, [1 / n] * n)
        num_windows = 1 + r.multinomial((windows - 1) * n, [1 / n] * n)
        ranges = np.zeros((n, num_windows.max(), 2), np.int32)
        for k in range(n):
            space, rest = divmod(int(num_poles[k]), int(num_windows[k]))
            width = space + (np.arange(num_windows[k]) < rest)
            ends = np.cumsum(width)
            ranges[k, :num_windows[k]] = np.stack([ends - width, ends - 1], 1)
        values = r.random((n, num_poles.max(), 4, 2))
        values[:, :, :, 0] *= 152.5
        values[:, :, 0, 1] *= 152.5
        return {"lookups": lookups, "counts": counts, "nuclides": nuclides, "densities": densities,
                "num_windows": num_windows.astype(np.int32),
                "coefficients": r.random((n, num_windows.max(), 3)), "ranges": ranges,
                "k0rs": r.random((n, 4)),
                "momenta": r.integers(0, 4, (n, num_poles.max())).astype(np.int16),
                "poles": values, "seed": np.array([1, 0.7, -0.4, 0.2])}
    return make


def xsbench(small):
    entries = [("primal", "primal"), ("derivative", "gradient")]
    rows = [Row("17M lookups", xsbench_data(17_000_000), entries, check=xsbench_data(100_000, 1000))]
    if small:
        rows = [Row("small", xsbench_data(200, 50), entries)]
    return Workload("xsbench", os.path.join(PAPER, "xsbench.fut"), rows, False, 1e-9)


def rsbench(small):
    entries = [("primal", "primal"), ("derivative", "gradient")]
    rows = [Row("10.2M lookups", rsbench_data(10_200_000), entries, check=rsbench_data(20_000))]
    if small:
        rows = [Row("small", rsbench_data(50, 68, 40, 5), entries)]
    return Workload("rsbench", os.path.join(PAPER, "rsbench.fut"), rows, False, 1e-8)


# ---- Single operations ----

def micro_rows(n, s, mm, k):
    def floats(n, t=np.float32):
        return lambda: {"xs": rng().random(n).astype(t)}

    def ints(n):
        return lambda: {"xs": rng().integers(0, 100, n).astype(np.int32)}

    def matrix(n, m, t=np.float32):
        return lambda: {"a": rng().random((n, m)).astype(t)}

    def two(n, m, p, t):
        return lambda: {"a": rng().random((n, m)).astype(t), "b": rng().random((m, p)).astype(t)}

    def buckets(k, n, values=False):
        def make():
            d = {"k": k, "is": rng().integers(0, k, n)}
            if values:
                d["xs"] = rng().random(n).astype(np.float32)
            return d
        return make

    def row_buckets(k, n, m):
        return lambda: {"k": k, "is": rng().integers(0, k, (n, m)).astype(np.int32),
                        "xs": rng().random((n, m)).astype(np.float32)}

    def buckets_of_rows(k, n, m):
        return lambda: {"k": k, "is": rng().integers(0, k, n).astype(np.int32),
                        "xs": rng().random((n, m)).astype(np.float32)}

    def places(n):
        return lambda: {"is": rng().permutation(n), "xs": rng().random(n).astype(np.float32)}

    def segments(n):
        return lambda: {"starts": rng().random(n) < 0.05, "xs": rng().random(n).astype(np.float32)}

    def row(name, entry, make, n_bytes, operations=0):
        return Row(name, make, [("time", entry)], floor={entry: (n_bytes, operations)})
    return [
        row(f"map f32 {n}", "map_f32", floats(n), 8 * n),
        row(f"copy f32 {n}", "copy_f32", floats(n), 8 * n),
        row(f"sum f32 {n}", "sum_f32", floats(n), 4 * n),
        row(f"sum f64 {n}", "sum_f64", floats(n, np.float64), 8 * n),
        row(f"maximum i32 {n}", "max_i32", ints(n), 4 * n),
        row(f"sum of rows {s}x{s}", "sum_rows", matrix(s, s), 4 * s * s),
        row(f"sum of columns {s}x{s}", "sum_columns", matrix(s, s), 4 * s * s),
        row(f"sum of rows {n // 32}x32", "sum_rows", matrix(n // 32, 32), 4 * n),
        row(f"sum of rows 32x{n // 32}", "sum_rows", matrix(32, n // 32), 4 * n),
        row(f"scan i32 {n}", "scan_i32", ints(n), 8 * n),
        row(f"scan f32 {n}", "scan_f32", floats(n), 8 * n),
        row(f"scan of rows {s}x{s}", "scan_rows", matrix(s, s), 8 * s * s),
        row(f"scan of segments {n}", "scan_segments", segments(n), 9 * n),
        row(f"transpose {s}x{s}", "transpose_f32", matrix(s, s), 8 * s * s),
        row(f"transpose {n // 8}x8", "transpose_f32", matrix(n // 8, 8), 8 * n),
        row(f"transpose {n // 3}x3", "transpose_f32", matrix(n // 3, 3), 8 * (n // 3 * 3)),
        row(f"transpose 3x{n // 3}", "transpose_f32", matrix(3, n // 3), 8 * (n // 3 * 3)),
        row(f"filter i32 {n}", "filter_i32", ints(n), 6 * n),
        row(f"histogram of {n // 4} in 100", "histogram", buckets(100, n // 4), 2 * n),
        row(f"histogram of {n // 4} in {k}", "histogram", buckets(k, n // 4), 2 * n),
        row(f"histogram f32 of {n // 4} in {k // 100}", "histogram_f32",
            buckets(k // 100, n // 4, True), 3 * n),
        row(f"histograms of 8 rows of {n // 32} in {k // 100}", "histogram_rows",
            row_buckets(k // 100, 8, n // 32), 2 * n),
        row(f"histograms of {n // 640} rows of 160 in 16", "histogram_rows",
            row_buckets(16, n // 640, 160), 2 * n),
        row(f"histogram of {n // 64} rows f32 [16] in {k // 100}", "histogram_of_rows",
            buckets_of_rows(k // 100, n // 64, 16), n + n // 16),
        row(f"scatter {n // 4}", "scatter_f32", places(n // 4), 5 * n),
        row(f"gather {n // 4}", "gather_f32", places(n // 4), 4 * n),
        row(f"matvec {s}x{s}", "matvec_f32", lambda: {"a": rng().random((s, s)).astype(np.float32),
                                                      "x": rng().random(s).astype(np.float32)}, 4 * s * s),
        row(f"matmul f32 {mm}", "matmul_f32", two(mm, mm, mm, np.float32), 12 * mm * mm, 2 * mm ** 3),
        row(f"matmul f64 {mm}", "matmul_f64", two(mm, mm, mm, np.float64), 24 * mm * mm, 2 * mm ** 3),
        row("iota of 1000: the cost of a launch", "small", lambda: {"n": 1000}, 4000),
    ]


# Elements; rows and columns of matrices; those of products; buckets.
MICRO, MICRO_SMALL = (1 << 26, 8192, 4096, 100_000), (100_003, 301, 130, 1000)


def micro(small):
    rows, checks = micro_rows(*MICRO), micro_rows(*MICRO_SMALL)
    # Products large enough for the largest tiles; scans for many blocks.
    larger = micro_rows(3_000_017, 301, 2100, 1000)
    for r, c, l in zip(rows, checks, larger):
        r.check = l.data if "matmul" in r.name or "scan " in r.name or "filter" in r.name else c.data
    return Workload("micro", os.path.join(HERE, "micro.fut"), checks if small else rows, False, 1e-3)


def all_workloads(small):
    return [micro(small), gmm(False, small), gmm(True, small), lstm(small), kmeans(small),
            kmeans_sparse(small), xsbench(small), rsbench(small)]
