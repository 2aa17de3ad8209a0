"""Programs without a C compiler: entry points are run by the interpreter, one process for each call."""
import json
import operator
import os
import struct
import subprocess
import tempfile

from . import ProgramError, _build, _raido

_TYPES = {"i8": b"  i8", "i16": b" i16", "i32": b" i32", "i64": b" i64", "u8": b"  u8", "u16": b" u16",
          "u32": b" u32", "u64": b" u64", "f16": b" f16", "f32": b" f32", "f64": b" f64", "bool": b"bool"}
_DTYPES = {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
           "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64",
           "bool": "bool"}


def _split(type_text):
    """A type of an array or scalar, or None: "[][]f32" is ("f32", 2)."""
    rank = 0
    while type_text.startswith("[]"):
        type_text, rank = type_text[2:], rank + 1
    return (type_text, rank) if type_text in _TYPES else None


def _number(prim, x):
    """A number of a type.  What is refused, and how, is as in compiled programs (_args.c)."""
    import numpy as np
    whole = prim[0] in "iu"
    if np.ndim(x) == 0 and prim == "bool":
        if isinstance(x, (bool, np.bool_)) or getattr(getattr(x, "dtype", None), "kind", "") == "b":
            return bool(x)
    elif np.ndim(x) == 0 and not isinstance(x, (str, bytes, complex)):
        try:
            x = float(x) if isinstance(x, int) and not whole else x
            x = operator.index(x) if whole else struct.unpack("d", struct.pack("d", x))[0]
            if whole:
                limits = np.iinfo(_DTYPES[prim])
                if not limits.min <= x <= limits.max:
                    raise OverflowError
            return x
        except OverflowError:
            raise OverflowError(f"does not fit in {prim}") from None
        except (TypeError, struct.error):
            pass
    what = f"an integer ({prim})" if whole else "a bool" if prim == "bool" else f"a number ({prim})"
    raise TypeError(f"should be {what}, not {type(x)}")


def _list(dtype, x):
    """Lists of numbers become arrays if that loses nothing: integers may become floats, not the other way."""
    import numpy as np
    try:
        found = np.array(x)
    except ValueError as e:
        raise ValueError(f"cannot be made an array: {e}") from None
    may = "b" + ("" if dtype == "bool" else "iu" if np.dtype(dtype).kind in "iu" else "iuf")
    if found.size and found.dtype.kind not in may:
        raise TypeError(f"is a list of {found.dtype}, and should be one of {dtype}")
    made = found.astype(dtype)
    if np.dtype(dtype).kind in "iu" and not np.array_equal(found, made):
        raise OverflowError(f"has numbers that do not fit in {dtype}")
    return made


def _array(prim, rank, x):
    """An array of a type."""
    import numpy as np
    dtype = np.dtype(_DTYPES[prim])
    if np.ma.is_masked(x):
        raise ValueError("has masked elements: use filled() or compressed()")
    if isinstance(x, (list, tuple, range)):
        x = _list(dtype, x)
    elif isinstance(x, bytes) and prim in ("i8", "u8"):
        x = np.frombuffer(x, dtype)
    elif isinstance(x, (str, bytes, int, float)):
        raise TypeError(f"should be an array of dtype {dtype}, not {type(x)}")
    x = np.asarray(x)
    if x.dtype != dtype or not x.dtype.isnative:
        other = ", whose bytes are in another order" if x.dtype.newbyteorder("=") == dtype else ""
        raise TypeError(f"should be of dtype {dtype}, not {x.dtype}{other}: use astype(\"{dtype}\")")
    if x.ndim != rank:
        raise ValueError(f"should have {rank} dimension{'' if rank == 1 else 's'}, not {x.ndim}")
    return x


class Library:
    """What stands for a compiled library."""

    def __init__(self, program, specs):
        self.program, self.specs, self.closed, self.left_out = program, specs, False, set()
        with tempfile.TemporaryDirectory() as work:
            command = ["c", "--library", "--slim", "-o", os.path.join(work, "library")]
            for s in specs:
                command += ["--only-derived", "--derive", f"{s}={s}"]
            _build.run_compiler(program, command, _build.write_program(program, work))
            with open(os.path.join(work, "library.json"), encoding="utf-8") as f:
                self.manifest = json.load(f)

    def entries(self):
        found, self.left_out = [], set()
        for name, e in self.manifest["entry_points"].items():
            ins = [(x["name"], _split(x["type"]), x["shapes"][0] if x["shapes"] else [], x["unique"])
                   for x in e["inputs"]]
            out = e["output"]["type"]
            single = _split(out)
            outs = [single] if single else [_split(t) for t in out[1:-1].split(", ")]
            if any(x[1] is None for x in ins) or any(t is None for t in outs):
                self.left_out.add(name) # records are for compiled programs
                continue
            found.append({"name": name, "doc": e.get("doc"), "sizes": {},
                          "in_form": "".join(f"{x[0]}:*" for x in ins),
                          "out_form": "*" if single else "(" + "*" * len(outs) + ")",
                          "inputs": tuple((x[0], x[1][0], tuple(x[2]), x[3]) for x in ins),
                          "outputs": tuple(("", t[0], tuple(s), False)
                                           for t, s in zip(outs, e["output"]["shapes"]))})
        return found

    def call(self, info, args):
        import numpy as np
        if self.closed:
            raise RuntimeError(f"{info['name']}: the module is closed")
        data, sizes = b"", {}
        for (name, prim, dims, _), x in zip(info["inputs"], args):
            x = x.what if isinstance(x, _raido.Donated) else x
            try:
                x = np.asarray(_array(prim, len(dims), x) if dims else _number(prim, x))
            except (TypeError, ValueError, OverflowError) as e:
                raise type(e)(f"{info['name']}: argument {name} {e}") from None
            for d, (want, have) in enumerate(zip(dims, x.shape)):
                other, k, size = sizes.setdefault(want, (name, d, have)) if isinstance(want, str) else ("", 0, want)
                if have != size:
                    want = str(size) if not other else f"{want} (of {other}) is {size}" if want.isascii() \
                        else f"dimension {k} of {other} has size {size}"
                    raise ValueError(f"{info['name']}: argument {name} has size {have} in dimension {d}, "
                                     f"{'but' if other else 'not'} {want}")
            data += b"b\x02" + bytes([len(dims)]) + _TYPES[prim]
            data += b"".join(n.to_bytes(8, "little") for n in x.shape)
            data += x.astype(np.dtype(_DTYPES[prim]).newbyteorder("<")).tobytes()
        with tempfile.TemporaryDirectory() as work:
            path = _build.write_program(self.program, work)
            command = [_build.find_compiler(), "run", "-w", "-b", "-e", info["name"]]
            for s in self.specs:
                command += ["--derive", f"{s}={s}"]
            done = subprocess.run(command + [path], input=data, capture_output=True, check=False)
        if done.returncode != 0:
            text, _ = _build._explain(done.stderr.decode(errors="replace"), path, self.program)
            raise ProgramError(f"{info['name']}: {text.strip().removeprefix('Error: ')}")
        got = _read_values(done.stdout)
        return got[0] if info["out_form"] == "*" else tuple(got)

    def memory(self):
        return {"live": 0, "cached": 0, "peak": 0, "allocations": 0, "contexts": 0}

    def clear(self):
        pass

    sync = clear

    def close(self):
        self.closed = True


def _read_values(data):
    import numpy as np
    values, at = [], 0
    while at < len(data):
        rank, prim = data[at + 2], data[at + 3:at + 7].strip().decode()
        at += 7
        shape = [int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little") for i in range(rank)]
        at += 8 * rank
        dtype = np.dtype(_DTYPES[prim]).newbyteorder("<")
        n = int(np.prod(shape, dtype=np.int64)) if rank else 1
        a = np.frombuffer(data, dtype, n, at).reshape(shape).astype(_DTYPES[prim])
        at += n * dtype.itemsize
        values.append(a if rank else a.item())
    return values


def _interpreted():
    from . import Function

    class Interpreted(Function):
        """An entry point that is interpreted."""

        def __init__(self, module, library, info, spec):
            self.module, self.library, self.info, self.spec = module, library, info, spec
            self.name = info["name"]
            self.__name__ = ":".join([spec[0], ".".join(spec[1])]) if spec[1] else spec[0]
            self.__doc__ = info["doc"] or self.signature

        def __call__(self, *args, **kwargs):
            names = [v[0] for v in self.info["inputs"]]
            if len(args) > len(names):
                raise TypeError(f"{self.name}: {len(args)} arguments, but it takes {len(names)}")
            for name in kwargs:
                if name not in names:
                    raise TypeError(f"{self.name}: there is no argument {name}" +
                                    (", as it is interpreted" if name in ("out", "copy") else ""))
                if name in names[:len(args)]:
                    raise TypeError(f"{self.name}: argument {name} is given twice")
            for name in names[len(args):]:
                if name not in kwargs:
                    raise TypeError(f"{self.name}: argument {name} is missing")
            args = list(args) + [kwargs[n] for n in names[len(args):]]
            return self.library.call(self.info, args)

    return Interpreted


Interpreted = _interpreted()
