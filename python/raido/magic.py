"""%%raido: a cell of a notebook that is a program.

    %load_ext raido
    %%raido [MODULE] [--backend multicore]
    entry f (x: f64) = x * x

Its entry points become functions of the notebook, and the module a variable if it is named.  Errors are at
the lines of the cell."""
import shlex
import warnings

from . import CompileError, compile


def run_cell(line, cell, namespace):
    """Compiles a cell into a namespace; the module."""
    words, backend, name = shlex.split(line), "c", None
    while words:
        word = words.pop(0)
        if word == "--backend":
            if not words:
                raise ValueError("%%raido: --backend is followed by its name, such as multicore")
            backend = words.pop(0)
        elif word.startswith("-") or name:
            raise ValueError(f"%%raido: unexpected {word}")
        elif not word.isidentifier():
            raise ValueError(f"%%raido: {word} cannot be the name of a variable")
        else:
            name = word
    module = compile(cell, backend=backend, name="<cell>", line=2)     # the first line is %%raido's
    if not module.functions():
        warnings.warn("the cell has no entry points, which begin with entry, not def: no function is defined", stacklevel=2)
    for entry in module.functions():
        namespace[entry.name] = entry
    if name:
        namespace[name] = module
    return module


def register(ipython):
    from IPython.core.error import UsageError   # shown without the inside of this package

    def raido(line, cell):
        try:
            run_cell(line, cell, ipython.user_ns)
        except (CompileError, ValueError) as e:
            raise UsageError(str(e)) from None
    raido.__doc__ = __doc__
    ipython.register_magic_function(raido, "cell", "raido")
