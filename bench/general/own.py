"""Programs as libraries, and how far results are from each other."""
import numpy as np

import library


def flat(parts):
    parts = parts if isinstance(parts, list) else [parts]
    return [np.asarray(p, np.float64) for p in parts]


def off(want, got):
    """The largest difference of any part, relative to the part's largest element."""
    worst = 0.0
    if len(want) != len(got):
        return float("inf")
    for w, g in zip(want, got):
        if w.shape != g.shape:
            return float("inf")
        if not w.size:
            continue
        if not (np.isfinite(w).all() and np.isfinite(g).all()):
            return float("inf")
        worst = max(worst, float(np.abs(w - g).max()) / max(float(np.abs(w).max()), 1e-12))
    return worst


def as_type(x, name):
    """A datum of the type of a parameter."""
    t = library.SCALARS[name.replace("[]", "")]
    x = np.asarray(x)
    return x.astype(t) if name.startswith("[]") else t(x)


def plain(parameter):
    """Its name; one that a program does not use may begin with an underscore."""
    return parameter["name"].lstrip("_")


class Own:
    """A program as a library, with its inputs in the order and the layout that it wants."""

    def __init__(self, base, layouts, threads=0, profile=False):
        self.program = library.Program(base + ".so", base + ".json", threads=threads, profile=profile)
        self.layouts = layouts
        self.inputs = self.program.entries["primal"]["inputs"]
        self.types = {plain(i): i["type"] for i in self.inputs}

    def arguments(self, data):
        out = []
        for i in self.inputs:
            x = data[plain(i)]
            axes = self.layouts.get(plain(i))
            x = as_type(np.transpose(x, axes) if axes else x, i["type"])
            out.append(self.program.array(x) if x.ndim else x.item())
        return out

    def results(self, entry, args):
        return flat(self.program.numpy(self.program.call(entry, *args)))

    def check_names(self, data):
        for entry in ("primal", "gradient"):
            names = [plain(i) for i in self.program.entries[entry]["inputs"]]
            if sorted(names) != sorted(data) or names != list(self.types):
                raise RuntimeError(f"{entry} has the parameters {names}, the data are {list(data)}")
