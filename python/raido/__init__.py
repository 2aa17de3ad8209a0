"""Raido in Python: compiled programs of its language as functions on arrays, with derivatives.

    import raido
    m = raido.compile("entry loss [n] (w: [n]f64) (x: [n]f64) = f64.sum (map2 (\\\\a b -> (a - b)**2) w x)")
    value, gradient = m.loss.value_and_grad(wrt="w")(w, x)

Arrays come in and go out as they are, NumPy's as NumPy's and tensors of PyTorch as tensors, without
copies.  Derivatives are made when they are asked for, and compiled programs are kept on disk.
See docs/python.md; raido.torch and raido.jax are for automatic differentiation there.
"""
from _thread import RLock

from . import _build
from ._build import CompileError, cache_directory, find_c_compiler, find_compiler
from ._raido import copies, donate
from . import _raido

__all__ = ["compile", "load", "Module", "Function", "Opaque", "CompileError", "ProgramError", "donate", "copies",
           "cache_directory", "find_compiler", "find_c_compiler"]
__version__ = "0.2.0"


class ProgramError(RuntimeError):
    """A program failed: an index out of bounds, sizes that do not fit; the message has the backtrace."""


_raido._set_errors(ProgramError)


def _device_array(*args):
    from ._device import make
    return make(*args)


_raido._set_device_array(_device_array)

#: Bytes of freed memory that a context keeps for later, at most.
CACHE_LIMIT = 256 << 20


# ---- Forms: how flat values make up arguments and results ----

def _parse_form(text, at):
    """A form at a position: '*', ('(', parts), ('{', names and parts), ('<', n, type); and where it ends."""
    c = text[at]
    if c == "*":
        return "*", at + 1
    if c == "<":
        end = text.index(">", at)
        n, kind = text[at + 1:end].split(" ", 1)
        return ("<", int(n), kind), end + 1
    at += 1
    parts = []
    while text[at] not in ")}":
        name = None
        if c == "{":
            end = text.index(":", at)
            name, at = text[at:end], end + 1
        form, at = _parse_form(text, at)
        parts.append((name, form))
    return (c, parts), at + 1


def _parse_params(text):
    at, params = 0, []
    while at < len(text):
        end = text.index(":", at)
        name = text[at:end]
        form, at = _parse_form(text, end + 1)
        params.append((name, form))
    return params


class Opaque(tuple):
    """A value of a type that has no form in Python, such as a sum: for other functions of the program."""

    def __new__(cls, values, kind):
        self = super().__new__(cls, values)
        self.kind = kind                # the type, as programs write it
        return self

    def __repr__(self):
        return f"<raido value of type {self.kind}>"

    def __reduce__(self):
        return Opaque, (tuple(self), self.kind)


def _flatten(form, value, out, name):
    """Adds the flat values of an argument; `name` is for messages."""
    if form == "*":
        out.append(value)
    elif form[0] == "(":
        if not isinstance(value, (tuple, list)) or len(value) != len(form[1]):
            raise TypeError(f"{name} should be a tuple of {len(form[1])}, not {_shown(value)}")
        for i, (_, part) in enumerate(form[1]):
            _flatten(part, value[i], out, f"{name}.{i}")
    elif form[0] == "{":
        names = {n for n, _ in form[1]}
        if hasattr(value, "_asdict"):   # a named tuple
            value = value._asdict()
        elif getattr(getattr(value, "dtype", None), "names", None):     # a structured array
            value = {n: value[n] for n in value.dtype.names}
        if not hasattr(value, "keys") or set(value.keys()) != names:
            raise TypeError(f"{name} should be a dict with the keys {', '.join(sorted(names))}, not {_shown(value)}")
        for n, part in form[1]:
            _flatten(part, value[n], out, f"{name}.{n}")
    elif isinstance(value, Opaque) and (len(value), value.kind) == form[1:]:
        out.extend(value)
    else:
        raise TypeError(f"{name} should be a value of type {form[2]} that a function gave, not {_shown(value)}")


def _shown(value):
    if isinstance(value, Opaque):
        return repr(value)
    if hasattr(value, "keys"):
        return f"one with {', '.join(sorted(map(str, value.keys()))) or 'none'}"
    return f"{type(value)}" + (f" of {len(value)}" if isinstance(value, (tuple, list)) else "")


def _rebuild(form, values):
    if form == "*":
        return next(values)
    if form[0] == "(":
        return tuple(_rebuild(part, values) for _, part in form[1])
    if form[0] == "{":
        return {n: _rebuild(part, values) for n, part in form[1]}
    return Opaque((next(values) for _ in range(form[1])), form[2])


def _is_flat_result(form):
    return form == "*" or (form[0] == "(" and all(part == "*" for _, part in form[1]))


# ---- Functions ----

class _Operation:
    """What raido.torch.wrap and raido.jax.wrap give; they are pickled as the function of Raido."""

    def __init__(self, f):
        self.function, self.__name__, self.__doc__ = f, f.name, f.signature

    @staticmethod
    def key(f):
        """What two functions have in common that compute the same."""
        options = f.module._options
        program = f.module._program
        digest = program.digest() if hasattr(program, "digest") else program.path
        return f"{digest} {f.spec} {[options.get(k) for k in ('backend', 'threads', 'deterministic', 'cflags')]}"

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<raido operation {self.function.signature}>"


class _Signature:
    """For inspect.signature, which editors ask."""

    def __get__(self, f, _):
        if f is None:
            return None
        from inspect import Parameter, Signature
        params = f._params if isinstance(f, _Structured) else f.info["inputs"]
        return Signature([Parameter(p[0], Parameter.POSITIONAL_OR_KEYWORD) for p in params if p[0].isidentifier()])


class Function(_raido.Entry):
    """An entry point.  Call it with arrays and numbers; arguments may be given by name.

    out=   an array, or a tuple of them, where results are to be
    copy=  False: an argument that would have to be copied is an error

    Its derivatives: value_and_grad, grad, vjp, vjp2, jvp, hvp; vmap for rows of arguments.
    """

    __signature__ = _Signature()

    def __init__(self, module, library, info, spec):
        super().__init__(library, info["name"])
        self.module = module
        self.library = library
        self.info = info
        self.spec = spec                # (entry point of the program, steps)
        self.name = info["name"]
        self.__name__ = ":".join([spec[0], ".".join(spec[1])]) if spec[1] else spec[0]
        self.__doc__ = info["doc"] or self.signature

    @property
    def signature(self):
        """The types of arguments and results: loss: (w: [n]f64, x: [n]f64) -> f64."""
        def show(v):
            return "*" * v[3] + "".join(f"[{d}]" for d in v[2]) + v[1]
        ins = ", ".join(f"{v[0]}: {show(v)}" for v in self.info["inputs"])
        outs = ", ".join(show(v) for v in self.info["outputs"])
        return f"{self.__name__}: ({ins}) -> {outs if len(self.info['outputs']) == 1 else f'({outs})'}"

    def __repr__(self):
        return f"<raido function {self.signature}>"

    def __reduce__(self):
        return _derived, (self.module, self.spec[0], self.spec[1])

    def derive(self, *steps):
        """The function made by steps such as "vjp", "grad(w+b)", "map(x)"."""
        return self.module._derive(self.spec[0], self.spec[1] + tuple(steps))

    @property
    def vjp(self):
        """(arguments, cotangents of float results) -> adjoints of float arguments."""
        return self.derive("vjp")

    @property
    def vjp2(self):
        """(arguments, cotangents) -> results and adjoints."""
        return self.derive("vjp2")

    @property
    def jvp(self):
        """(arguments, tangents of float arguments) -> results and their tangents."""
        return self.derive("jvp")

    @property
    def hvp(self):
        """(arguments, tangents) -> the product of the Hessian of the first result with them."""
        return self.derive("hvp")

    def by(self, *wrt):
        """The derivatives by some of the arguments: f.by("w", "b").vjp(...)."""
        return _By(self, _names(wrt))

    def value_and_grad(self, wrt=None, *values):
        """A function that gives the result, a single float, and its gradient.

        wrt: a name or several; None: all float arguments.  With several the gradient is a tuple."""
        return _ValueAndGrad(self, _names(wrt, "value_and_grad", values))

    def grad(self, wrt=None, *values):
        """The gradient alone."""
        return _Grad(self, _names(wrt, "grad", values))

    def pullback(self, wrt=None, *values):
        """A function that gives the result and a second function, from cotangents of its floats to adjoints.

        The second one uses what the first has kept, and may be called more than once."""
        return _Pullback(self, _names(wrt, "pullback", values))

    def sweeps(self, wrt=(), rows=()):
        """The two functions that a pullback consists of; with `rows`, for rows of these arguments and of cotangents.

        The first gives results, then residuals.  The second takes the arguments, then those outputs of the first whose
        numbers are in its info["saved"], then cotangents, and gives adjoints (those of each row).  A CompileError says that
        sizes of results are not known before."""
        steps = (_step("split", _names(wrt)),)
        if rows:
            floats = [v for v in self.info["outputs"] if v[1] in ("f16", "f32", "f64")]
            cotangents = ["ct"] if len(floats) == 1 else [f"ct{k}" for k in range(len(floats))]
            if any(v[0] in cotangents for v in self.info["inputs"]):
                raise CompileError("an argument is called like a cotangent")
            steps += (_step("map", [*_names(rows), *cotangents]),)
        return self.module._split(self.spec[0], self.spec[1] + steps)

    def vmap(self, *names):
        """The function on rows of these arguments (of all, if none is named)."""
        return self.derive(_step("map", _names(names)))


_raido._call_directly(Function)


class _Structured(Function):
    """A function of tuples and records, which are tuples and dicts."""

    def __init__(self, module, library, info, spec):
        super().__init__(module, library, info, spec)
        self._params = _parse_params(info["in_form"])
        self._result = _parse_form(info["out_form"], 0)[0]

    def __call__(self, *args, **kwargs):
        if len(args) > len(self._params):
            raise TypeError(f"{self.name}: {len(args)} arguments, but it takes {len(self._params)}")
        got = super().__call__(*_flat_args(self, args, kwargs), **kwargs)
        if _is_flat_result(self._result):
            return got
        return _rebuild(self._result, iter(got if isinstance(got, tuple) else (got,)))


def _is_on_cuda(x):
    """Is it an array, or are there arrays in it, on a CUDA device?"""
    if isinstance(x, (float, int)):
        return False
    if isinstance(x, (tuple, list)):
        return any(_is_on_cuda(y) for y in x)
    if isinstance(x, dict):
        return any(_is_on_cuda(y) for y in x.values())
    flag = getattr(x, "is_cuda", None)
    if flag is None:
        where = getattr(x, "__dlpack_device__", None)
        try:
            flag = where is not None and where()[0] == 2
        except Exception:       # it is in no memory
            flag = False
    return flag


class _Either:
    """Of a module for "auto": calls on a CUDA device are made by the program compiled for that."""

    def __call__(self, *args, **kwargs):
        if _is_on_cuda(args) or kwargs and _is_on_cuda(kwargs):
            return self.on_cuda()(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    def on_cuda(self):
        return _derived(self.module._on_cuda(), *self.spec)


class _EitherFunction(_Either, Function):
    pass


class _EitherStructured(_Either, _Structured):
    pass


def _names(wrt, method="", values=()):
    """The names of arguments.  `values`: what else was given to a method that takes names alone, and gives a function."""
    if wrt is None and not values:
        return ()
    names = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    for name in (*names, *values):
        if not isinstance(name, str):
            hint = f": {method} gives a function, f.{method}()(..)" if method else ""
            raise TypeError(f"arguments are chosen by their names, not by values of {type(name)}{hint}")
    if values:
        raise TypeError(f"several names are a tuple: {method}({(*names, *values)!r})")
    return tuple(names)


def _step(name, wrt):
    return f"{name}({'+'.join(wrt)})" if wrt else name


class _By:
    def __init__(self, f, wrt):
        self._f, self._wrt = f, wrt

    def __getattr__(self, step):
        if step in ("vjp", "vjp2", "jvp", "hvp"):
            return self._f.derive(_step(step, self._wrt))
        if step in ("value_and_grad", "grad"):
            return lambda: getattr(self._f, step)(self._wrt)
        raise AttributeError(f"by(..) has vjp, vjp2, jvp, hvp, value_and_grad and grad, not {step}")

    def __repr__(self):
        return f"<raido derivatives by {', '.join(self._wrt)} of {self._f.signature}>"


class _ValueAndGrad:
    """f.value_and_grad(): the flat results of the derived function, put together."""

    def __init__(self, f, wrt):
        self.function = f.derive(_step("grad", wrt))
        self._n = len(f.info["outputs"])
        self._source = (f, wrt)
        self.__doc__ = self.function.signature

    def __call__(self, *args, **kwargs):
        got = self.function(*_flat_args(self._source[0], args, kwargs), **kwargs)
        n = self._n
        if len(got) == 2 and n == 1:
            return got
        return got[0] if n == 1 else got[:n], got[n] if len(got) == n + 1 else got[n:]

    def __reduce__(self):
        return type(self), self._source

    def __repr__(self):
        return f"<raido {self.function.signature}>"


class _Grad(_ValueAndGrad):
    def __call__(self, *args, **kwargs):
        return super().__call__(*args, **kwargs)[1]


class _Pullback:
    """f.pullback()"""

    def __init__(self, f, wrt):
        self._source = (f, wrt)
        self._n = len(f.info["outputs"])
        self._sweeps = None if f.module._options["backend"] == "interpreter" else f.sweeps(wrt)

    def __call__(self, *args, **kwargs):
        f, wrt = self._source
        if isinstance(f, _Either) and _is_on_cuda(args):
            return f.on_cuda().pullback(wrt)(*args, **kwargs)
        args = tuple(_flat_args(f, args, kwargs))
        if len(args) != len(f.info["inputs"]) or kwargs:
            raise TypeError(f"{f.name}: a pullback takes all arguments by position")
        if self._sweeps is None:        # an interpreter keeps nothing between calls
            vjp = f.derive(_step("vjp", wrt))
            return f(*args), lambda *cotangents: vjp(*args, *cotangents)
        forward, backward = self._sweeps
        got = forward(*args)
        got = got if isinstance(got, tuple) else (got,)
        kept = tuple(got[k] for k in backward.info["saved"])

        def back(*cotangents):
            return backward(*args, *kept, *cotangents)
        return got[0] if self._n == 1 else got[:self._n], back

    def __reduce__(self):
        return type(self), self._source

    def __repr__(self):
        f, wrt = self._source
        return f"<raido {_step('pullback', wrt)} of {f.signature}>"


def _flat_args(f, args, kwargs):
    """Derived functions take flat arguments."""
    if not isinstance(f, _Structured):
        return args
    flat = []
    for i, (name, form) in enumerate(f._params):
        if i < len(args):
            value = args[i]
        elif name in kwargs:
            value = kwargs.pop(name)
        else:
            raise TypeError(f"{f.name}: argument {name} is missing")
        _flatten(form, value, flat, f"{f.name}: argument {name}")
    return flat


def _in_order(f, args, kwargs):
    """The arguments of a function, some of which are given by name, by position."""
    names = [v[0] for v in f.info["inputs"]]
    for key in kwargs:
        if key not in names[len(args):]:
            raise TypeError(f"{f.name}: there is no argument {key}, or it is given twice")
    missing = [key for key in names[len(args):] if key not in kwargs]
    if missing:
        raise TypeError(f"{f.name}: argument {missing[0]} is missing")
    return *args, *[kwargs[key] for key in names[len(args):]]


def _derived(module, entry, steps):
    if steps and steps[-1].endswith(("_fwd", "_bwd")):
        last, which = steps[-1][:-4], steps[-1][-4:]
        return module._split(entry, steps[:-1] + (last,))[which == "_bwd"]
    return module._derive(entry, steps) if steps else getattr(module, entry)


# ---- Modules ----

class Module:
    """A compiled program: its entry points are attributes.  Made by raido.compile.

    It is pickled as its source and options, and compiled where it arrives."""

    def __init__(self, program, options):
        self._program = program
        self._options = options
        self._functions = {}
        self._libraries = []
        self._closed = False
        self._cuda = None
        self._lock = RLock()            # what two threads derive at once is compiled once
        for info, library in self._load(()):
            f = self._functions[(info["name"], ())] = self._function(library, info, (info["name"], ()))
            if not hasattr(type(self), f.name):
                self.__dict__[f.name] = f       # faster than __getattr__

    def _load(self, specs):
        path = _build.build(self._program, specs, self._options)
        if path is None:
            from ._interpreter import Library
            library = Library(self._program, specs)
        else:
            if self._options["backend"] == "cuda":
                _build.load_nvrtc()
            library = _raido.Library(path, self._options["threads"], self._options["deterministic"],
                                     self._options["cache_limit"],
                                     1 if self._options["backend"] == "multicore" else 64)
        self._libraries.append(library)
        return [(info, library) for info in library.entries()]

    def _function(self, library, info, spec):
        if hasattr(library, "call"):
            from ._interpreter import Interpreted
            return Interpreted(self, library, info, spec)
        params = _parse_params(info["in_form"])
        flat = all(form == "*" for _, form in params) and \
            _is_flat_result(_parse_form(info["out_form"], 0)[0])
        if self._options.get("auto"):
            return (_EitherFunction if flat else _EitherStructured)(self, library, info, spec)
        return (Function if flat else _Structured)(self, library, info, spec)

    def _on_cuda(self):
        """The same program for CUDA."""
        with self._lock:
            if self._cuda is None:
                self._cuda = Module(self._program, dict(self._options, backend="cuda", auto=False))
            return self._cuda

    def _derive(self, entry, steps):
        return self._functions.get((entry, steps)) or self._once(self._make_derived, entry, steps)

    def _once(self, make, entry, steps):
        with self._lock:
            got = self._functions.get((entry, steps))
            if got is None:
                if self._closed:
                    raise RuntimeError("the module is closed")
                got = self._functions[(entry, steps)] = make(entry, steps)
            return got

    def _make_derived(self, entry, steps):
        if (entry, ()) not in self._functions:
            raise self._no_entry(entry)
        info, library = self._load((f"{entry}:{'.'.join(steps)}",))[0]
        return self._function(library, info, (entry, steps))

    def _split(self, entry, steps):
        """The two sweeps of a derivative, whose last step is split: forward, backward."""
        return self._functions.get((entry, steps)) or self._once(self._make_split, entry, steps)

    def _make_split(self, entry, steps):
        if self._options["backend"] == "interpreter":
            raise CompileError("an interpreted program has no sweeps")
        made = self._load((f"{entry}:{'.'.join(steps)}",))
        return tuple(self._function(library, info, (entry, steps[:-1] + (steps[-1] + which,)))
                     for (info, library), which in zip(sorted(made, key=lambda e: e[0]["name"], reverse=True),
                                                       ("_fwd", "_bwd")))

    def functions(self):
        """The entry points of the program."""
        return [f for (_, steps), f in self._functions.items() if not steps]

    def __getitem__(self, name):
        """An entry point by name, also one called like a method of the module."""
        if (name, ()) not in self._functions:
            raise KeyError(str(self._no_entry(name)))
        return self._functions[(name, ())]

    def __contains__(self, name):
        return (name, ()) in self._functions

    def __iter__(self):
        return (name for name, steps in self._functions if not steps)

    def __getattr__(self, name):
        f = self.__dict__.get("_functions", {}).get((name, ()))
        if f is None:
            raise self._no_entry(name)
        return f

    def _no_entry(self, name):
        if any(name in getattr(library, "left_out", ()) for library in self.__dict__.get("_libraries", ())):
            return AttributeError(f"{name} takes or gives records, tuples or opaque values: these are for compiled programs, "
                                  "and this one is interpreted")
        names = [n for n, steps in self.__dict__.get("_functions", {}) if not steps]
        there = f"there are {', '.join(names)}" if names else "there are none: they begin with entry, not def"
        return AttributeError(f"there is no entry point {name}; {there}")

    def __dir__(self):
        return sorted(set(super().__dir__()) | {name for name, steps in self._functions if not steps})

    def __reduce__(self):
        return _again, (self._program, self._options)

    def __repr__(self):
        return f"<raido module {', '.join(f.signature for f in self.functions()) or 'without entry points'}>"

    def memory(self):
        """Bytes that its contexts have in use (live) and keep for later (cached); allocations so far."""
        sums = {}
        for library in self._all_libraries():
            for key, n in library.memory().items():
                sums[key] = sums.get(key, 0) + n
        return sums

    def sync(self):
        """Waits for the device, and raises what has failed there: errors of calls on a GPU come late."""
        for library in self._all_libraries():
            library.sync()

    def _all_libraries(self):
        return self._libraries + (self._cuda._libraries if self._cuda else [])

    def clear(self):
        """Gives memory that is kept for later back to the system."""
        for library in self._all_libraries():
            library.clear()

    def close(self):
        """Ends it: calls are errors from now on.  Results stay."""
        self._closed = True
        for library in self._all_libraries():
            library.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _again(program, options):
    return Module(program, options)


def compile(source, backend="c", *, threads=0, deterministic=False, cache_limit=CACHE_LIMIT, cflags=None,
            name=None, line=1, verbose=None):
    """Compiles a program: a path ending in .fut, or its text.

    backend   "c", "multicore" (threads), "cuda" (arrays on a GPU), "interpreter" (slow, needs no C compiler), or
              "auto": cuda for arrays on a GPU; for others, threads where there are several processors, the
              interpreter where there is no C compiler
    threads   of the multicore back end; 0: as many as there are processors
    cflags    for the C compiler, instead of the usual ones
    name, line  what errors call the text, and the number of its first line
    verbose   say what is done; None: on a terminal

    What was compiled before is found again by its content, in cache_directory()."""
    program = _build.program_of(source, name, line)
    options = _build.options_of(backend, threads, deterministic, cache_limit, cflags, verbose)
    return Module(program, options)


def load(path, *, threads=0, deterministic=False, cache_limit=CACHE_LIMIT):
    """A library that `raido c --library` and a C compiler made: a path to a .so file."""
    options = {"threads": threads, "deterministic": deterministic, "cache_limit": cache_limit, "backend": "c"}
    if str(path).endswith(".fut"):
        raise ValueError(f"{path} is a program, not a library: use raido.compile")
    return Module(_build.Loaded(str(path)), options)


def load_ipython_extension(ipython):
    """%load_ext raido"""
    from .magic import register
    register(ipython)
