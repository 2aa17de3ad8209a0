"""Functions of Raido in JAX.

    f = raido.jax.wrap(m.loss)
    jax.jit(jax.vmap(jax.hessian(f)))

Each function is a primitive of its own: jit, vmap, jvp, grad, jacfwd, hessian, scan and shard_map all apply, as
often as wanted.  Its derivatives and batches are functions derived from it, made when they are needed.
The custom call is told by a hash which entry point it is, so that compiled programs may be kept on disk.
"""
import hashlib

import jax as _jax
import numpy as _np
from jax.extend import core as _core
from jax.interpreters import ad as _ad, batching as _batching, mlir as _mlir

from . import CompileError, Function, _EitherFunction, _Operation, _raido, _in_order

__all__ = ["wrap"]

_DTYPES = {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
           "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "bool": "bool"}
_FLOATS = ("f16", "f32", "f64")
_TARGET = "raido_call"
_primitives = {}                        # by key


def _register_target():
    if not _primitives:
        for platform in ("cpu", "CUDA"):
            _jax.ffi.register_ffi_target(_TARGET, _raido._xla_setup(), platform=platform)


def _key(f):
    return int.from_bytes(hashlib.sha256(_Operation.key(f).encode()).digest()[:8], "little", signed=True)


def _result_shapes(info, shapes, name):
    sizes = {}
    for (arg, _, dims, _), shape in zip(info["inputs"], shapes):
        if len(shape) != len(dims):
            raise ValueError(f"{name}: argument {arg} should have {len(dims)} dimension{'s' * (len(dims) != 1)}, "
                             f"not {len(shape)}")
        for dim, n in zip(dims, shape):
            want = sizes.setdefault(dim, n) if isinstance(dim, str) else dim
            if want != n:
                raise ValueError(f"{name}: argument {arg} has size {n}, but {dim} is {want}")
    try:
        return [tuple(sizes[d] if isinstance(d, str) else d for d in v[2]) for v in info["outputs"]]
    except KeyError as e:
        raise NotImplementedError(f"{name}: the size {e} of a result depends on values, which JAX does not allow") \
            from None


def _zero_tangent(value):
    return _ad.Zero(_jax.typeof(value).to_tangent_aval())


def _step(step, names):
    return f"{step}({'+'.join(names)})"


def _define_impl(primitive):
    def run(*args):
        return primitive.bind(*args)
    run.__name__ = run.__qualname__ = primitive.name
    run._apply_primitive = True         # jax_debug_nans: it has no parts to look into
    compiled = _jax.jit(run)

    @primitive.def_impl
    def impl(*args):
        with _jax.disable_jit(False):   # there is no other way to compute it
            return compiled(*args)


def _axes(aval):
    """The axes of a mesh along which a value varies, inside of shard_map."""
    axes = getattr(aval, "manual_axis_type", None)
    return getattr(axes, "varying", None) or getattr(aval, "vma", None) or frozenset()


def _like(aval, shape):
    """For a value of another shape that varies along the same axes."""
    if not _axes(aval):
        return {}
    name = "manual_axis_type" if hasattr(aval, "manual_axis_type") else "vma"
    spec = _jax.sharding.PartitionSpec(*[None] * len(shape))
    return {name: getattr(aval, name), "sharding": _jax.sharding.NamedSharding(aval.sharding.mesh, spec)}


def _vary(args):
    """Arguments that vary along the same axes: the derivative by one that is the same everywhere is a sum over them."""
    axes = [_axes(_jax.typeof(a)) for a in args]
    every = frozenset().union(*axes)
    return [a if mine == every else _cast(a, tuple(every - mine)) for a, mine in zip(args, axes)] if every else args


def _cast(x, axes):
    if hasattr(_jax.lax, "pcast"):
        return _jax.lax.pcast(x, axes, to="varying")
    return _jax.lax.pvary(x, axes)


class _Primitive:
    """The primitive for a function, with its rules."""

    def __init__(self, f, key):
        self.f, self.key, self.info = f, key, f.info
        self.ins, self.outs = f.info["inputs"], f.info["outputs"]
        self.floats = [i for i, v in enumerate(self.ins) if v[1] in _FLOATS]
        self.float_outs = [k for k, v in enumerate(self.outs) if v[1] in _FLOATS]
        _raido._xla_register(key, f.library, f.info["name"])
        self.prim = p = _core.Primitive("raido_" + f.__name__)
        p.multiple_results = True
        self.lowered = _jax.ffi.ffi_lowering(_TARGET)
        self.kinds, self.parts = _kinds(f), None
        _needs_devices(p)
        _define_impl(p)
        p.def_abstract_eval(self._abstract)
        on_cuda = f.module._options["backend"] == "cuda"
        _mlir.register_lowering(p, self._lower if not on_cuda else self._refuse("cpu"), platform="cpu")
        if isinstance(f, _EitherFunction):
            _mlir.register_lowering(p, self._lower_on_cuda, platform="cuda")
        else:
            _mlir.register_lowering(p, self._lower if on_cuda else self._refuse("cuda"), platform="cuda")
        _ad.primitive_jvps[p] = self._jvp
        _batching.primitive_batchers[p] = self._batch

    def bind(self, *args):
        return self.prim.bind(*_vary(args))

    def derive(self, step):
        return _primitive(self.f.derive(step))

    def _avals(self, shapes, like=None):
        return [_jax.core.ShapedArray(s, _np.dtype(_DTYPES[v[1]]), **_like(like, s))
                for s, v in zip(_result_shapes(self.info, shapes, self.f.__name__), self.outs)]

    def _abstract(self, *args):
        return self._avals([a.shape for a in args], args[0] if args else None)

    def _lower(self, ctx, *args):
        if self.kinds and _with_devices is not None:
            return _mlir.lower_fun(self._in_parts, multiple_results=True)(ctx, *args)
        return self._lower_call(ctx, *args)

    def _lower_call(self, ctx, *args):
        return self.lowered(ctx, *args, key=_np.int64(self.key))

    def _in_parts(self, *args):
        """Rows that are on several devices stay there: each computes the results for its own."""
        if self.parts is None:
            self.parts = _partitioned(self)
        return self.parts(*args)

    def _lower_on_cuda(self, ctx, *args):
        return _primitive(self.f.on_cuda())._lower(ctx, *args)

    def _refuse(self, platform):
        def refuse(ctx, *args):
            raise ValueError(f"{self.f.__name__}: the arguments are on the platform {platform}, but the program is "
                             f"compiled for the back end {self.f.module._options['backend']}")
        return refuse

    def _jvp(self, primals, tangents):
        given = [i for i in self.floats if not isinstance(tangents[i], _ad.Zero)]
        if not given or not self.float_outs:
            values = self.bind(*primals)
            return values, [_zero_tangent(v) for v in values]
        linear = _linear(self, tuple(given))
        values, kept = linear.values(self, primals)
        tans = linear.bind(*primals, *kept, *[tangents[i] for i in given])
        tans = dict(zip(self.float_outs, tans))
        return values, [tans[k] if k in tans else _zero_tangent(v)
                        for k, v in enumerate(values)]

    def mapped(self, batched):
        """The primitive on rows of these arguments."""
        try:
            return self.derive(_step("map", [self.ins[i][0] for i in batched]))
        except CompileError as e:
            raise NotImplementedError(f"{self.f.__name__}: vmap: {e.text}") from None

    def _batch(self, args, dims):
        batched = [i for i, d in enumerate(dims) if d is not None]
        return self.mapped(batched).bind(*_first_dims(args, dims)), [0] * len(self.outs)


# ---- Arrays on several devices ----

# A rule for sharding is there for a custom_partitioning, which has to know the devices when it is lowered.  JAX tells
# them only to programs with primitives of this set, which is no part of its interface: without it there are no rules.
try:
    from jax._src.dispatch import prim_requires_devices_during_lowering as _with_devices
except ImportError:
    _with_devices = None


def _needs_devices(primitive):
    if _with_devices is not None:
        _with_devices.add(primitive)


def _kinds(f):
    """What the rows that map made are to arguments and results: (of each argument, of each result), or None without map.

    "row": it has them, "whole": it belongs to all, "sum": it is a sum over them.  Each step of a derived function adds
    arguments at the end."""
    info = f.module[f.spec[0]].info
    names = [v[0] for v in f.info["inputs"]]
    ins = [("whole", _is_float(v)) for v in info["inputs"]]
    outs = [("whole", _is_float(v)) for v in info["outputs"]]
    mapped = False
    for text in f.spec[1]:
        step, _, by = text.partition("(")
        by = by.rstrip(")").split("+") if by else None
        chosen = [i for i in range(len(ins)) if by is None or any(names[i] == n or names[i].startswith(n + ".")
                                                                 for n in by)]
        active = [i for i in chosen if ins[i][1]]
        float_outs = [o for o in outs if o[1]]
        adjoints = [("sum" if ins[i][0] == "whole" else "row", True) for i in active]
        if step == "map":
            mapped = True
            ins = [("row" if i in chosen else "whole", v[1]) for i, v in enumerate(ins)]
            outs = [("row", o[1]) for o in outs]
        elif step in ("vjp", "vjp2"):
            ins += [("row" if o[0] == "row" else "whole", True) for o in float_outs]
            outs = (outs if step == "vjp2" else []) + adjoints
        elif step == "grad":
            outs = outs + adjoints
        elif step in ("jvp", "hvp"):
            ins += [ins[i] for i in active]
            outs = outs + float_outs if step == "jvp" else adjoints
        else:
            return None
    return ([k for k, _ in ins], [k for k, _ in outs]) if mapped else None


def _is_float(value):
    return value[1] in _FLOATS


def _partitioned(of):
    """A function of rows with a rule for sharding: rows may be on several devices, and their sums are added up."""
    from jax.experimental.custom_partitioning import custom_partitioning
    P, named = _jax.sharding.PartitionSpec, _jax.sharding.NamedSharding
    ins, outs = of.kinds
    part = _core.Primitive(of.prim.name + "_part")
    part.multiple_results = True
    part.def_abstract_eval(of._abstract)
    _mlir.register_lowering(part, of._lower_call)

    def call(*args):
        return tuple(part.bind(*args))

    def rows_axis(shapes):
        return next((s.sharding.spec[0] for k, s in zip(ins, shapes) if k == "row" and s.sharding is not None
                     and len(s.sharding.spec)), None)

    def of_kinds(kinds, mesh, axis):
        return tuple(named(mesh, P(axis) if k == "row" else P()) for k in kinds)

    def partition(mesh, arg_shapes, result_shape):
        axis = rows_axis(arg_shapes)

        def call_part(*args):
            return tuple(_jax.lax.psum(r, axis) if k == "sum" and axis is not None else r
                         for k, r in zip(outs, call(*args)))
        return mesh, call_part, of_kinds(outs, mesh, axis), of_kinds(ins, mesh, axis)

    def infer(mesh, arg_shapes, result_shape):
        return of_kinds(outs, mesh, rows_axis(arg_shapes))

    factors = []

    def dims(v, kind):
        new = [f"d{len(factors) + k}" for k in range(len(v[2]) - (kind == "row"))]
        factors.extend(new)
        return " ".join(["rows"] * (kind == "row") + new)
    rule = ", ".join(map(dims, of.ins, ins)) + " -> " + ", ".join(map(dims, of.outs, outs))
    parts = custom_partitioning(call)
    parts.def_partition(partition=partition, infer_sharding_from_operands=infer, sharding_rule=rule,
                        reduction_factors=("rows",) if "row" not in outs else (),
                        need_replication_factors=tuple(factors))
    return parts


def _only_tangents_vary(prim, args):
    """A rule of jax.custom_jvp may pass tangents on as arguments, in which functions are not linear."""
    if any(_ad.is_undefined_primal(a) for a in args):
        raise TypeError(f"{prim.name.split(':')[0]}: reverse mode of a function in which it is not linear; a rule for tangents, as of "
                        "jax.custom_jvp, has to be linear in them")


class _Linear:
    """The tangents of a function, linear in the tangents of some arguments.

    forward  the primitive that gives values and tangents; `skip`: so many values
    n        the number of arguments before the tangents
    back     what gives the adjoints of the tangents from arguments and cotangents: the transpose
    sweeps   the two sweeps of the reverse mode, or None; what the first one keeps for the second comes between the
             arguments and the tangents"""

    def __init__(self, forward, skip, n, back, sweeps=None):
        self.forward, self.skip, self.n, self.back, self.sweeps = forward, skip, n, back, sweeps
        self.first = n + (len(sweeps.saved) if sweeps else 0)   # of the tangents
        self.rows = {}                  # of this: by the arguments that have rows
        self.prim = p = _core.Primitive(forward.prim.name + "_linear")
        p.multiple_results = True
        _needs_devices(p)
        _define_impl(p)
        p.def_abstract_eval(lambda *args: forward._abstract(*self._plain(args))[skip:])
        _mlir.register_lowering(p, _mlir.lower_fun(self._tangents, multiple_results=True))
        _ad.primitive_jvps[p] = self._jvp
        _ad.primitive_transposes[p] = self._transpose
        _batching.primitive_batchers[p] = self._batch

    def bind(self, *args):
        return self.prim.bind(*_vary(args))

    def values(self, of, primals):
        """The values of the function, and what the backward sweep needs of them."""
        if self.sweeps is None:
            return of.bind(*primals), []
        got = self.sweeps.forward.bind(*primals)
        return got[:len(of.outs)], [got[k] for k in self.sweeps.saved]

    def _plain(self, args):
        """Without what is kept: that follows from the arguments."""
        return (*args[:self.n], *args[self.first:])

    def _tangents(self, *args):
        return self.forward.bind(*self._plain(args))[self.skip:]

    def _jvp(self, primals, tangents):
        if all(isinstance(t, _ad.Zero) for t in tangents[:self.n]):
            filled = [_ad.instantiate_zeros(t) for t in tangents[self.first:]]
            return self.bind(*primals), self.bind(*primals[:self.first], *filled)
        values, tans = self.forward._jvp(self._plain(primals), self._plain(tangents))
        return values[self.skip:], tans[self.skip:]

    def _transpose(self, cts, *args):
        _only_tangents_vary(self.prim, args[:self.first])
        filled = [_ad.instantiate_zeros(c) for c in cts]
        if self.sweeps is not None:
            got = self.sweeps.pull.bind(*args[:self.first], *filled)
        else:
            got = self.back(*args[:self.n], *filled)
        return [None] * self.first + list(got)

    def _batch(self, args, dims):
        args, dims = self._plain(args), self._plain(dims)
        rows = _first_dims(args, dims)
        batched = tuple(i for i, d in enumerate(dims) if d is not None)
        linear = self.rows.get(batched)
        if linear is None:
            linear = self.rows[batched] = self._mapped(batched)
        return linear.bind(*rows), [0] * len(linear.forward.outs[self.skip:])

    def _mapped(self, batched):
        forward = self.forward.mapped(batched)
        axes = [0 if i in batched else None for i in range(self.n)]

        def back(*args):
            n_cts = len(args) - self.n
            got = _jax.vmap(self.back, in_axes=tuple(axes + [0] * n_cts))(*args)
            return [g if self.n + k in batched else g.sum(0)       # all rows share that tangent
                    for k, g in enumerate(got)]
        return _Linear(forward, self.skip, self.n, back)


class _Sweeps:
    """The two sweeps of the reverse mode of a function, as primitives.

    forward  gives values, then what is kept; its derivative is that of the function
    pull     gives adjoints from arguments, what was kept, and cotangents; its derivative is that of `vjp`, by the
             arguments and cotangents alone, since what is kept follows from the arguments
    saved    the outputs of `forward` that `pull` takes"""

    def __init__(self, of, given, vjp):
        names = [of.ins[i][0] for i in given]
        forward, backward = of.f.sweeps(names)
        self.of, self.vjp, self.n = of, vjp, len(of.ins)
        self.saved = backward.info["saved"]
        self.first = self.n + len(self.saved)
        self.forward, self.pull = _primitive(forward), _primitive(backward)
        self.linear = None
        if not all(v[1] for v in forward.info["sizes"].values()):
            raise NotImplementedError   # of sizes that XLA cannot know
        _ad.primitive_jvps[self.forward.prim] = self._jvp_forward
        _batching.primitive_batchers[self.forward.prim] = self._batch_forward
        _ad.primitive_jvps[self.pull.prim] = self._jvp_pull
        _ad.primitive_transposes[self.pull.prim] = self._transpose_pull
        _batching.primitive_batchers[self.pull.prim] = self._batch_pull

    def _plain(self, args):
        return (*args[:self.n], *args[self.first:])

    def _jvp_forward(self, primals, tangents):
        got = self.forward.bind(*primals)
        _, tans = self.of._jvp(primals, tangents)
        return got, list(tans) + [_zero_tangent(v) for v in got[len(tans):]]

    def _batch_forward(self, args, dims):
        values, out_dims = self.of._batch(args, dims)
        n = values[0].shape[0]
        shapes = [a.shape if d is None else a.shape[:d] + a.shape[d + 1:] for a, d in zip(args, dims)]
        unused = [_jax.numpy.zeros((n, *a.shape), a.dtype) for a in self.forward._avals(shapes)[len(values):]]
        return [*values, *unused], out_dims + [0] * len(unused)

    def _jvp_pull(self, primals, tangents):
        return self.pull.bind(*primals), self.vjp()._jvp(self._plain(primals), self._plain(tangents))[1]

    def _batch_pull(self, args, dims):
        return self.vjp()._batch(self._plain(args), self._plain(dims))

    def _transpose_pull(self, cts, *args):
        _only_tangents_vary(self.pull.prim, args[:self.first])
        filled = [_ad.instantiate_zeros(c) for c in cts]
        return [None] * self.first + list(self.linear.bind(*args[:self.first], *filled))


def _sweeps(of, given, vjp):
    """None: reverse mode begins anew.  Functions of rows do where these may be on several devices: sweeps have no rules
    for sharding."""
    if of.kinds and _jax.device_count() > 1:
        return None
    try:
        return _Sweeps(of, given, vjp)
    except (CompileError, NotImplementedError):
        return None


_linears = {}


def _linear(of, given):
    """The derivative of a primitive by some of its arguments."""
    key = (of.key, given)
    if key not in _linears:
        names = [of.ins[i][0] for i in given]

        def vjp():
            return of.derive(_step("vjp", names))
        sweeps = _sweeps(of, given, vjp)
        linear = _linears[key] = _Linear(of.derive(_step("jvp", names)), len(of.outs), len(of.ins),
                                         lambda *args: vjp().bind(*args), sweeps)
        if sweeps:
            sweeps.linear = linear
    return _linears[key]


def _first_dims(args, dims):
    return [a if d is None else _jax.numpy.moveaxis(a, d, 0) for a, d in zip(args, dims)]


def _primitive(f):
    key = _key(f)
    p = _primitives.get(key)
    if p is None:
        _register_target()
        p = _primitives[key] = _Primitive(f, key)
    elif p.f.library.is_closed() and not f.library.is_closed():
        p.f = f                         # of another module of the same program
        _raido._xla_register(key, f.library, f.info["name"])
    return p


class Operation(_Operation):
    """What wrap gives."""

    def __init__(self, f):
        super().__init__(f)
        self._p = _primitive(f)
        self._single = f.info["out_form"] == "*"

    def __call__(self, *args, **kwargs):
        ins = self._p.ins
        if kwargs or len(args) < len(ins):
            args = _in_order(self.function, args, kwargs)
        if len(args) != len(ins):
            raise TypeError(f"{self.function.name}: {len(args)} arguments, but it takes {len(ins)}")
        got = self._p.bind(*[_array(self.function.name, v, a) for v, a in zip(ins, args)])
        return got[0] if self._single else tuple(got)

    def __reduce__(self):
        return wrap, (self.function,)


def _array(name, v, a):
    """An argument as an array; numbers have the type that is wanted, if they are of that kind."""
    number = isinstance(a, (int, float, bool))
    if number and (isinstance(a, float) and v[1] not in _FLOATS or v[1] == "bool" and not isinstance(a, bool)):
        raise TypeError(f"{name}: argument {v[0]} should be {'a bool' if v[1] == 'bool' else 'an integer'} ({v[1]}), not {type(a)}")
    wide = _jax.config.jax_enable_x64 or not v[1].endswith("64")
    try:
        made = _jax.numpy.asarray(a, _DTYPES[v[1]]) if number and wide else _jax.numpy.asarray(a)
    except (TypeError, ValueError, OverflowError) as e:
        raise type(e)(f"{name}: argument {v[0]}: {e}") from None
    if made.dtype != _np.dtype(_DTYPES[v[1]]):
        hint = f': use astype("{_DTYPES[v[1]]}")' if wide else ': begin with jax.config.update("jax_enable_x64", True)'
        raise TypeError(f"{name}: argument {v[0]} should be of dtype {_DTYPES[v[1]]}, not {made.dtype}{hint}")
    return made


def wrap(f):
    """A function of Raido as a function of JAX.

    Numbers become arrays of the right type; arrays must have it.  For f64 and i64, jax_enable_x64 has to be on."""
    if not isinstance(f, Function):
        raise TypeError("raido.jax.wrap takes a function of a module: raido.jax.wrap(m.f)")
    if type(f) not in (Function, _EitherFunction):
        raise TypeError(f"{f.name}: functions of records, or interpreted ones, cannot be wrapped")
    return Operation(f)
