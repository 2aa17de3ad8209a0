"""Functions of Raido in PyTorch.

    loss = raido.torch.wrap(m.loss)
    loss(w, x).backward()

What it gives can be differentiated again, by torch.autograd and torch.func, batched by torch.func.vmap, and is
one operation to torch.compile.  Tensors are on the CPU, or on a GPU if it was compiled for CUDA; nothing is copied.

Each function is an operation of torch.library, which knows the shapes of its results.  Around it is an
autograd.Function, whose derivatives are wrapped functions themselves.  If the result is one float, the
forward pass computes the gradient too (which shares most of the work), and the backward pass scales it.  Otherwise the
forward pass keeps what the backward pass needs of it, as saved tensors.  Derivatives of the backward pass begin anew, from
the arguments.
"""
import hashlib
from operator import index as _index

import torch as _torch

from torch._C._functorch import is_legacy_batchedtensor as _is_batched, peek_interpreter_stack as _peek
from torch.autograd import forward_ad as _dual
from torch import is_grad_enabled as _is_grad_enabled
from torch.utils._python_dispatch import _len_torch_dispatch_stack as _modes

from . import CompileError, Function, _EitherFunction, _Operation, _raido, _in_order
from ._raido import _needs

__all__ = ["wrap"]

_DTYPES = {"i8": _torch.int8, "i16": _torch.int16, "i32": _torch.int32, "i64": _torch.int64,
           "u8": _torch.uint8, "u16": _torch.uint16, "u32": _torch.uint32, "u64": _torch.uint64,
           "f16": _torch.float16, "f32": _torch.float32, "f64": _torch.float64, "bool": _torch.bool}
_FLOATS = ("f16", "f32", "f64")
_library = _torch.library.Library("raido", "FRAGMENT")
_raido._set_tensors(_torch.Tensor, _torch.nn.Parameter, _dual, (
    (_is_grad_enabled, True), (_peek, None), (_modes, 0)))
_operations = {}                        # those that are defined, by name
_differentiable = set()                 # those that have derivatives of their own


def _is_float(value):
    return value[1] in _FLOATS


def _is_tensor(value):
    """Floats and arrays are tensors; other scalars are numbers."""
    return bool(value[2]) or _is_float(value)


# ---- The operation ----

def result_shapes(info, shapes, numbers):
    """The shapes of results, from those of arguments and the values of scalars (None: unknown)."""
    sizes = {}
    for (_, _, dims, _), shape in zip(info["inputs"], shapes):
        for name, n in zip(dims, shape or ()):
            if isinstance(name, str):
                sizes.setdefault(name, n)
    for name, (value, _) in info["sizes"].items():
        if value >= 0 and numbers[value] is not None:
            sizes.setdefault(name, numbers[value])
    try:
        return [tuple(sizes[d] if isinstance(d, str) else d for d in v[2]) for v in info["outputs"]]
    except KeyError as e:
        raise NotImplementedError(f"{info['name']}: the size {e} of a result is known only after the call") from None


def _entry(f):
    """The entry point itself, which takes tensors that require gradients."""
    e = f.__dict__.get("_entry")
    if e is None:
        e = f.__dict__["_entry"] = _raido.Entry(f.library, f.info["name"], True)
    return e


def _device(args, otherwise=None):
    """The device of tensors; numbers may be on the CPU."""
    devices = [a.device for a in args if isinstance(a, _torch.Tensor)]
    return next((d for d in devices if d.type != "cpu"), devices[0] if devices else otherwise)


_entries = {}                           # what computes an operation, by name


def _define(f, prefix="f"):
    """The operation for a function."""
    name = prefix + hashlib.sha256(_Operation.key(f).encode()).hexdigest()[:24]
    if name in _operations:
        if _entries[name].library.is_closed():
            _entries[name] = f          # that of another module of the same program
        return _operations[name]
    _entries[name] = f
    ins, outs = f.info["inputs"], f.info["outputs"]
    kinds = ["Tensor" if _is_tensor(v) else "bool" if v[1] == "bool" else "int" for v in ins]
    _library.define(f"{name}({', '.join(f'{k} a{i}' for i, k in enumerate(kinds))}) -> "
                    + ("Tensor" if len(outs) == 1 else "(" + ", ".join("Tensor" for _ in outs) + ")"))
    on_cuda = f.module._options["backend"] == "cuda"
    tuple_result = f.info["out_form"] != "*"
    any_tensor = any(k == "Tensor" for k in kinds)

    def run(*args):
        got = _entry(_entries[name])(*args)
        if not any_tensor:
            got = tuple(_torch.from_dlpack(x) if on_cuda else _torch.as_tensor(x, dtype=_DTYPES[v[1]])
                        for x, v in zip(got if tuple_result else (got,), outs))
            return got[0] if len(outs) == 1 else got
        return got[0] if tuple_result and len(outs) == 1 else got

    def fake(*args):
        shapes = [tuple(a.shape) if isinstance(a, _torch.Tensor) else () for a in args]
        numbers = [None if isinstance(a, _torch.Tensor) else a for a in args]
        device = _device(args, "cuda" if on_cuda else None)
        made = [_torch.empty(s, dtype=_DTYPES[v[1]], device=device)
                for s, v in zip(result_shapes(f.info, shapes, numbers), outs)]
        return made[0] if len(made) == 1 else tuple(made)

    _library.impl(name, run, "BackendSelect" if not any_tensor else "CUDA" if on_cuda else "CPU")
    _torch.library.register_fake(f"raido::{name}", fake, lib=_library)
    _operations[name] = op = getattr(_torch.ops.raido, name).default
    return op


# ---- Derivatives ----

def _step(step, names):
    return f"{step}({'+'.join(names)})"


def _as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


class _Wrapped:
    """A function with its autograd.Function; made once for each."""

    def __init__(self, f):
        self.f = f
        self.op = _define(f)
        self.ins, self.outs = f.info["inputs"], f.info["outputs"]
        self.floats = tuple(i for i, v in enumerate(self.ins) if _is_float(v))
        self.float_outs = tuple(k for k, v in enumerate(self.outs) if _is_float(v))
        self.scalar = len(self.outs) == 1 and _is_float(self.outs[0]) and not self.outs[0][2] \
            and bool(self.floats)
        self.derived, self.pulls, self.halves = {}, {}, {}
        slow, fast = _function(self)
        self.apply, self.apply_plain = slow.apply, fast.apply
        self.fast = {}                  # for plain tensors, by what needs a gradient, as bits
        self.entry = _entry(f)
        self.traced = _traced(self) if self.floats and self.float_outs else self.op
        self.float_names = tuple(self.ins[i][0] for i in self.floats)
        self.kept = {}                  # operations whose first results are those, by what needs a gradient ("w+x")
        self.keeping = _torch.compiler.assume_constant_result(lambda need: _keeping(self, need) is not None)
        self.tensors = tuple(i for i, v in enumerate(self.ins) if _is_tensor(v))
        self.dtypes = tuple(_DTYPES[v[1]] for v in self.ins)
        self.kind = "cuda" if f.module._options["backend"] == "cuda" else "cpu"

    def derive(self, step):
        w = self.derived.get(step)
        if w is None:
            w = self.derived[step] = _wrapped(self.f.derive(step))
        return w

    def pull(self, need):
        f = self.pulls.get(need)
        if f is None:
            f = self.pulls[need] = _pulling(self, need)
        return f

    def sweeps(self, need, rows=()):
        """The operations of the two sweeps of the derivative by the arguments `need`, for rows of some arguments; None if
        there are none."""
        key = need, rows
        if key not in self.halves:
            try:
                pair = self.f.sweeps([self.ins[i][0] for i in need], [self.ins[i][0] for i in rows])
                self.halves[key] = tuple(_define(f) for f in pair)
            except CompileError:
                self.halves[key] = None
        return self.halves[key]

    def apply_fast(self, need, args):
        key = sum(1 << i for i in need) + (1 << len(self.ins))  # as an Operation looks for it
        f = self.fast.get(key)
        if f is None:
            f = self.fast[key] = _scalar_function(self, need) if self.scalar else _split_function(self, need)
        return f(*args)

    def _cast(self, args):
        return [a if i not in self.floats else
                a.to(self.dtypes[i]) if isinstance(a, _torch.Tensor) and _torch.is_autocast_enabled(self.kind) else
                a if isinstance(a, _torch.Tensor) else _torch.tensor(a, dtype=self.dtypes[i], device="cpu")
                for i, a in enumerate(args)]

    def _check_numbers(self, args):
        """Those that are no tensors; floats become some, whatever the default device is."""
        for i, (name, prim, dims, _) in enumerate(self.ins):
            a = args[i]
            if isinstance(a, _torch.Tensor) or type(a) is int and prim != "bool" and i not in self.floats:
                continue
            if dims:
                raise TypeError(f"{self.f.name}: argument {name} should be a tensor, not {type(a)}")
            try:
                if i in self.floats:
                    if isinstance(a, (str, bytes)) or getattr(getattr(a, "dtype", None), "kind", "f") == "c":
                        raise TypeError
                    args[i] = _torch.tensor(float(a), dtype=self.dtypes[i], device="cpu")
                elif prim == "bool" and not isinstance(a, (bool, _torch.SymBool)):
                    raise TypeError
                elif prim != "bool" and not isinstance(a, _torch.SymInt):
                    args[i] = _index(a)
            except TypeError:
                kind = "a number" if i in self.floats else "a bool" if prim == "bool" else "an integer"
                raise TypeError(f"{self.f.name}: argument {name} should be {kind} ({prim}), not {type(a)}") from None

    def _trace(self, args):
        """What torch.compile sees: one operation, which keeps what its derivative needs if there is to be one."""
        if not self.float_outs or not _is_grad_enabled():
            return self.traced(*args)
        # by name: numbers may be symbolic here
        need = "+".join([name for name, i in zip(self.float_names, self.floats) if args[i].requires_grad])
        if not need or not self.keeping(need):
            return self.traced(*args)
        got = self.kept[need](*args)
        return got[0] if len(self.outs) == 1 else got[:len(self.outs)]

    def __call__(self, *args):
        if _torch.compiler.is_compiling():
            return self._trace(self._cast(args))
        args = list(args)
        self._check_numbers(args)
        need = ()
        if self.floats:
            if _torch.is_autocast_enabled(self.kind):
                for i in self.floats:
                    args[i] = args[i].to(self.dtypes[i])
            need = tuple([i for i in self.floats if args[i].requires_grad])
        if not self.floats or not self.float_outs:
            return self.op(*args)
        plain = _is_plain(args)
        if need and _torch.is_grad_enabled():
            if plain and _dual._current_level < 0:
                return self.apply_fast(need, args)
            if self.scalar:
                return self.apply(need, *args)[0]
            if not plain and self.sweeps(need):
                got = self.apply(need, *args)
                return got[0] if len(self.outs) == 1 else got[:len(self.outs)]
        return (self.apply_plain if plain else self.apply)((), *args)


def _traced(w):
    """The operation with its derivative, for torch.compile, which sees through neither."""
    op = _define(w.f, "c")
    if op in _differentiable:
        return op
    _differentiable.add(op)

    def setup_context(ctx, inputs, output):
        ctx.numbers = tuple(None if isinstance(a, _torch.Tensor) else a for a in inputs)
        ctx.shapes = [tuple(o.shape) for o in _as_tuple(output)]
        ctx.save_for_backward(*[a for a in inputs if isinstance(a, _torch.Tensor)])

    def backward(ctx, *cts):
        saved = list(ctx.saved_tensors)
        args = [saved.pop(0) if n is None else n for n in ctx.numbers]
        wanted = [i for i in w.floats if ctx.needs_input_grad[i]]
        grads = [None] * len(args)
        cts = [cts[k].contiguous() if cts[k] is not None
               else _torch.zeros(ctx.shapes[k], dtype=_DTYPES[w.outs[k][1]], device=_device(args))
               for k in w.float_outs]
        if wanted:
            got = w.derive(_step("vjp", [w.ins[i][0] for i in wanted])).traced(*args, *cts)
            for i, g in zip(wanted, _as_tuple(got)):
                grads[i] = g
        return tuple(grads)

    _torch.library.register_autograd(op.name(), backward, setup_context=setup_context, lib=_library)
    return op


def _keeping(w, need):
    """For torch.compile: the forward sweep by the arguments `need`, as an operation whose derivative is the backward
    sweep; or a single float with its gradient.  None: the derivative begins with the arguments, since nothing is kept, or
    sizes of it are known only after the call."""
    if need in w.kept:
        return w.kept[need]
    names = need.split("+")
    n, n_outs, back = len(w.ins), len(w.outs), None
    if w.scalar:
        forward = w.f.derive(_step("grad", names))
        saved = range(1, 1 + len(names))
    else:
        try:
            forward, backward = w.f.sweeps(names)
        except CompileError:
            w.kept[need] = None
            return None
        saved = backward.info["saved"]
        if len(forward.info["outputs"]) == 1 or not all(known for _, known in forward.info["sizes"].values()):
            w.kept[need] = None
            return None
        back = _define(backward, "k")
    op, wanted = _define(forward, "k"), [i for i in w.floats if w.ins[i][0] in names]

    def setup_context(ctx, inputs, output):
        ctx.numbers = tuple(None if isinstance(a, _torch.Tensor) else a for a in inputs)
        ctx.shapes = [tuple(o.shape) for o in output[:n_outs]]
        ctx.mark_non_differentiable(*[o for k, o in enumerate(output) if k not in w.float_outs])
        ctx.save_for_backward(*[a for a in inputs if isinstance(a, _torch.Tensor)], *[output[k] for k in saved])

    def backward_of(ctx, *cts):
        tensors = list(ctx.saved_tensors)
        args = [tensors.pop(0) if x is None else x for x in ctx.numbers]
        cts = [cts[k].contiguous() if cts[k] is not None
               else _torch.zeros(ctx.shapes[k], dtype=_DTYPES[w.outs[k][1]], device=_device(args))
               for k in w.float_outs]
        if _is_grad_enabled():          # a derivative of this one begins anew
            got = w.derive(_step("vjp", names)).traced(*args, *cts)
        elif back is None:
            got = tuple([cts[0] * g for g in tensors])
        else:
            got = back(*args, *tensors, *cts)
        grads = [None] * n
        for i, g in zip(wanted, _as_tuple(got)):
            grads[i] = g
        return tuple(grads)

    if op not in _differentiable:       # for another module of the same program
        _differentiable.add(op)
        _torch.library.register_autograd(op.name(), backward_of, setup_context=setup_context, lib=_library)
    w.kept[need] = op
    return op


def _function(w):
    f = w.f

    class Raido(_torch.autograd.Function):
        """forward(need, *args): with `need`, what the derivative by those arguments needs comes with the result: of a single
        float the gradient, else what the forward sweep keeps."""

        @staticmethod
        def forward(need, *args):
            if not need:
                return w.op(*args)
            if w.scalar:
                return w.derive(_step("grad", [w.ins[i][0] for i in need])).op(*args)
            return _as_tuple(w.sweeps(need)[0](*args))

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.need = inputs[0]
            args = inputs[1:]
            ctx.numbers = tuple(None if isinstance(a, _torch.Tensor) else a for a in args)
            tensors = [a for a in args if isinstance(a, _torch.Tensor)]
            outs = _as_tuple(output)
            ctx.mark_non_differentiable(*[o for k, o in enumerate(outs)
                                          if k >= len(w.outs) or k not in w.float_outs])
            ctx.save_for_backward(*tensors, *outs[len(w.outs):])
            ctx.save_for_forward(*tensors)
            ctx.set_materialize_grads(False)
            ctx.shapes = [tuple(o.shape) for o in outs[:len(w.outs)]]
            ctx.n_extra = len(outs) - len(w.outs)

        @staticmethod
        def backward(ctx, *cts):
            saved = list(ctx.saved_tensors)
            args = [saved.pop(0) if n is None else n for n in ctx.numbers]
            wanted = [i for i in w.floats if ctx.needs_input_grad[1 + i]]
            grads = [None] * len(args)
            if not wanted or all(cts[k] is None for k in w.float_outs):
                return (None, *grads)
            cts = [cts[k] if cts[k] is not None
                   else _torch.zeros(ctx.shapes[k], dtype=_DTYPES[w.outs[k][1]], device=_device(args))
                   for k in w.float_outs]
            cts = [c.contiguous() for c in cts]
            if saved and all(i in ctx.need for i in wanted):
                wanted, got = ctx.need, w.pull(ctx.need)(*args, *saved, *cts)
            else:
                got = w.derive(_step("vjp", [w.ins[i][0] for i in wanted]))(*args, *cts)
            for i, g in zip(wanted, _as_tuple(got)):
                grads[i] = g
            return (None, *grads)

        @staticmethod
        def jvp(ctx, _, *tangents):
            saved = list(ctx.saved_tensors)[:len([n for n in ctx.numbers if n is None])]
            args = [saved.pop(0) if n is None else n for n in ctx.numbers]
            given = [i for i in w.floats if tangents[i] is not None]
            if not given:
                return tuple([None] * (len(w.outs) + ctx.n_extra)) if len(w.outs) + ctx.n_extra > 1 or ctx.need else None
            got = w.derive(_step("jvp", [w.ins[i][0] for i in given]))(
                *args, *[tangents[i].contiguous() for i in given])
            tans = dict(zip(w.float_outs, _as_tuple(got)[len(w.outs):]))
            all_tans = [tans.get(k) for k in range(len(w.outs))] + [None] * ctx.n_extra
            return all_tans[0] if len(all_tans) == 1 and not ctx.need else tuple(all_tans)

        @staticmethod
        def vmap(info, in_dims, need, *args):
            dims = in_dims[1:]
            batched = [i for i, d in enumerate(dims) if d is not None]
            rows = [a.movedim(dims[i], 0).contiguous() if dims[i] is not None else a
                    for i, a in enumerate(args)]
            if need and not w.scalar:
                sweeps = w.sweeps(need, tuple(batched)) if _is_outermost(rows) else None
                if sweeps:
                    got = _as_tuple(sweeps[0](*rows))
                    return got, (0,) * len(w.outs) + (None,) * (len(got) - len(w.outs))
            scalar = need and w.scalar
            target = w if not scalar else w.derive(_step("grad", [w.ins[i][0] for i in need]))
            try:
                mapped = target.derive(_step("map", [w.ins[i][0] for i in batched]))
                got = mapped(*rows)
            except CompileError:        # sizes of results that are not known before
                each = [_as_tuple(target(*[r[k] if dims[i] is not None else r for i, r in enumerate(rows)]))
                        for k in range(info.batch_size)]
                got = tuple(_torch.stack(rs) for rs in zip(*each))
                got = got[0] if len(got) == 1 else got
            if need:
                got = _as_tuple(got)
            return got, 0 if not isinstance(got, tuple) else (0,) * len(got)

    class Fast(_torch.autograd.Function):
        """The same for plain tensors without a transformation around: nothing is dispatched."""

        @staticmethod
        def forward(ctx, need, *args):
            output = w.entry(*args)
            if isinstance(output, tuple) and len(output) == 1:
                output = output[0]
            Raido.setup_context(ctx, (need, *args), output)
            return output

        backward = Raido.backward
        jvp = Raido.jvp

    return _named(Raido, f.name), _named(Fast, f.name)


def _is_outermost(tensors):
    """Is no transformation around that of vmap, whose rows these are, and no derivative wanted?"""
    return _peek() is None and not any(isinstance(a, _torch.Tensor) and a.requires_grad for a in tensors)


def _pulling(w, need):
    """(arguments, what was kept, cotangents) -> adjoints of the arguments `need`.  Of a single float the gradients were kept.
    Derivatives of this one are those of vjp, and begin with the arguments; what was kept follows from these."""
    n, n_cts = len(w.ins), len(w.float_outs)

    def vjp():                          # compiled when it is needed
        return w.derive(_step("vjp", [w.ins[i][0] for i in need]))

    def arguments(ctx):
        saved = iter(ctx.saved_tensors)
        return [next(saved) if x is None else x for x in ctx.numbers]

    class Pull(_torch.autograd.Function):
        @staticmethod
        def forward(*inputs):
            if w.scalar:
                return tuple([inputs[-1] * g for g in inputs[n:-1]])
            return _as_tuple(w.sweeps(need)[1](*inputs))

        @staticmethod
        def setup_context(ctx, inputs, output):
            args = (*inputs[:n], *inputs[-n_cts:])
            ctx.numbers = tuple(None if isinstance(a, _torch.Tensor) else a for a in args)
            ctx.n_kept = len(inputs) - len(args)
            tensors = [a for a in args if isinstance(a, _torch.Tensor)]
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(*tensors)

        @staticmethod
        def backward(ctx, *cts):
            v, more = vjp(), ctx.n_kept         # arguments of v: those before and after what was kept
            wanted = [i for i in v.floats if ctx.needs_input_grad[i if i < n else i + more]]
            grads = [None] * (n + more + n_cts)
            if wanted:
                got = v.derive(_step("vjp", [v.ins[i][0] for i in wanted]))(*arguments(ctx), *[c.contiguous() for c in cts])
                for i, g in zip(wanted, _as_tuple(got)):
                    grads[i if i < n else i + more] = g
            return tuple(grads)

        @staticmethod
        def jvp(ctx, *tangents):
            v, more = vjp(), ctx.n_kept
            tangents = (*tangents[:n], *tangents[n + more:])
            given = [i for i in v.floats if tangents[i] is not None]
            got = v.derive(_step("jvp", [v.ins[i][0] for i in given]))(
                *arguments(ctx), *[tangents[i].contiguous() for i in given])
            return tuple(_as_tuple(got)[len(v.outs):])

        @staticmethod
        def vmap(info, in_dims, *inputs):
            rows = [a if d is None else a.movedim(d, 0).contiguous() for a, d in zip(inputs, in_dims)]
            dims = (*in_dims[:n], *in_dims[-n_cts:])
            if _is_outermost(rows):
                if w.scalar:
                    return scaled(rows, in_dims)
                batched = tuple(i for i in range(n) if dims[i] is not None)
                if batched and all(d is None for d in in_dims[n:-n_cts]):       # kept by the sweep for rows
                    for k in range(len(rows) - n_cts, len(rows)):
                        if in_dims[k] is None:
                            rows[k] = rows[k].expand(info.batch_size, *rows[k].shape).contiguous()
                    got = _as_tuple(w.sweeps(need, batched)[1](*rows))
                    return got, (0,) * len(got)
            v = vjp()
            args = [*rows[:n], *rows[-n_cts:]]
            got = v.derive(_step("map", [v.ins[i][0] for i, d in enumerate(dims) if d is not None]))(*args)
            return _as_tuple(got), (0,) * len(need)

    def scaled(rows, in_dims):
        ct, by_row = rows[-1], in_dims[-1] is not None
        made = [(ct.reshape(-1, *[1] * (g.dim() - (d is not None))) if by_row else ct) * g
                for g, d in zip(rows[n:-1], in_dims[n:-1])]
        return tuple(made), tuple(0 if by_row or d is not None else None for d in in_dims[n:-1])

    return _named(Pull, w.f.name).apply


def _named(function, name):
    """With the name that PyTorch shows; its engine calls `backward` itself, and no function around it."""
    function.__name__ = function.__qualname__ = "Raido_" + name
    back = function._backward_cls
    back.__name__ = back.__qualname__ = function.__name__ + "Backward"
    back.apply = function.backward
    return function


def _direct(function):
    """What `apply` does for plain tensors without a transformation around."""
    return super(_torch.autograd.function._SingleLevelFunction, function).apply


def _scalar_function(w, need):
    """For a single float as result, by the arguments `need`, of plain tensors without a transformation around: all that
    can be known before is."""
    n, names = len(w.ins), [w.ins[i][0] for i in need]
    entry = _entry(w.f.derive(_step("grad", names)))

    class Raido(_torch.autograd.Function):
        forward = _raido.Forward(entry, bytes(i in need for i in range(n)), bytes(i in w.tensors for i in range(n)))

        @staticmethod
        def backward(ctx, ct):
            grads = ctx.gradients       # None: they are used, and somebody may have changed them
            if _is_grad_enabled():
                found = iter(_as_tuple(w.derive(_step("vjp", names))(*arguments(ctx), ct)))
                return tuple([next(found) if i in need else None for i in range(n)])
            if grads is None:
                args = arguments(ctx)   # an error if it is no longer there
                if ctx.second is None:
                    found = iter(entry(*args)[1:])
                    ctx.second = [next(found) if i in need else None for i in range(n)]
                grads = ctx.second
            ctx.gradients = None
            return tuple([None if g is None else ct * g for g in grads])

    def arguments(ctx):
        if len(w.tensors) == n:
            return ctx.saved_tensors
        saved = iter(ctx.saved_tensors)
        return [next(saved) if x is None else x for x in ctx.numbers]

    back = _named(Raido, w.f.name)._backward_cls
    back.again, back.apply = Raido.backward, _raido._backward_of(back)
    back.second = None                  # gradients for when the graph is used again
    return _direct(Raido)


def _split_function(w, need):
    """For results of other kinds, likewise: the two sweeps of the derivative by the arguments `need`."""
    names = [w.ins[i][0] for i in need]
    try:
        forward, backward = w.f.sweeps(names)
    except CompileError:                # sizes of results that are not known before
        return lambda *args: w.apply_plain((), *args)
    outs = len(forward.info["outputs"])
    forward, backward, saved = _entry(forward), _entry(backward), backward.info["saved"]
    n, n_outs, n_tensors = len(w.ins), len(w.outs), len(w.tensors)
    integers = [k for k in range(n_outs) if k not in w.float_outs]

    class Raido(_torch.autograd.Function):
        @staticmethod
        def forward(ctx, *args):
            got = forward(*args)
            if outs == 1 and type(got) is not tuple:
                got = (got,)
            if n_tensors == n:
                ctx.save_for_backward(*args, *[got[k] for k in saved])
            else:
                ctx.save_for_backward(*[args[i] for i in w.tensors], *[got[k] for k in saved])
                ctx.numbers = [None if i in w.tensors else a for i, a in enumerate(args)]
            if integers:
                ctx.mark_non_differentiable(*[got[k] for k in integers])
            if n_outs == 1:
                return got[0]
            ctx.set_materialize_grads(False)
            ctx.shapes = [x.shape for x in got[:n_outs]]
            return got[:n_outs]

        @staticmethod
        def backward(ctx, *cts):
            tensors = ctx.saved_tensors
            args = tensors[:n_tensors]
            if n_tensors != n:
                rest = iter(args)
                args = [next(rest) if x is None else x for x in ctx.numbers]
            if n_outs > 1:
                if all(ct is None for ct in cts):
                    return (None,) * n
                cts = [cts[k] if cts[k] is not None else
                       _torch.zeros(ctx.shapes[k], dtype=_DTYPES[w.outs[k][1]], device=_device(args)) for k in w.float_outs]
            if _is_grad_enabled() or _peek() is not None or _modes() or _needs(tuple(cts)) is None:
                got = w.derive(_step("vjp", names))(*args, *[ct.contiguous() for ct in cts])
            else:
                got = backward(*args, *tensors[n_tensors:], *cts)
            grads = [None] * n
            for i, g in zip(need, _as_tuple(got)):
                grads[i] = g
            return tuple(grads)

    return _direct(_named(Raido, w.f.name))


_plain = (_torch.Tensor, _torch.nn.Parameter)


def _is_plain(args):
    """No transformation of torch.func, no mode, no tensors of other kinds, no lazy negation?"""
    if _peek() is not None or _modes():
        return False
    for a in args:
        if isinstance(a, _torch.Tensor) and (type(a) not in _plain or a.is_neg() or _is_batched(a)):
            return False
    return True


def _wrapped(f):
    w = f.__dict__.get("_torch")
    if w is None:
        w = f.__dict__["_torch"] = _Wrapped(f)
    return w


class Operation(_Operation, _raido.Plain):
    """What wrap gives.  Calls with plain tensors, which training makes most, do not come as far as __call__."""

    def __init__(self, f):
        w = _wrapped(f)
        super().__init__(f)
        self._w, self._n, self._either = w, len(w.ins), type(f) is _EitherFunction
        fast = w.fast if w.float_outs and len(w.tensors) == len(w.ins) and not self._either else {}
        _raido.Plain.__init__(self, fast, w.entry)

    def __call__(self, *args, **kwargs):
        if kwargs or len(args) < self._n:
            args = _in_order(self.function, args, kwargs)
        if len(args) != self._n:
            raise TypeError(f"{self.function.name}: {len(args)} arguments, but it takes {self._n}")
        if self._either and any(isinstance(a, _torch.Tensor) and a.is_cuda for a in args):
            return _wrapped(self.function.on_cuda())(*args)
        return self._w(*args)

    def __reduce__(self):
        return wrap, (self.function,)


_raido._call_directly(Operation)


def wrap(f):
    """A function of Raido as a function of tensors that PyTorch can differentiate.

    Float arguments that are single numbers may be tensors without dimensions or numbers."""
    if not isinstance(f, Function):
        raise TypeError("raido.torch.wrap takes a function of a module: raido.torch.wrap(m.f)")
    if type(f) not in (Function, _EitherFunction):
        raise TypeError(f"{f.name}: functions of records, or interpreted ones, cannot be wrapped")
    return Operation(f)
