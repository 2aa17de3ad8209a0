"""From the text of a program to a shared library, by content: each is compiled once."""
import functools
import os
import re
import sys
import warnings

CFLAGS = "-O3 -std=c11 -fno-math-errno -fno-trapping-math"
BACKENDS = ("c", "multicore", "cuda", "interpreter")


class CompileError(Exception):
    """A program was refused.  `positions`: (file, line, column) of each error; `text`: all of it."""

    __module__ = "raido"                # where it is for users

    def __init__(self, text, positions=()):
        super().__init__(text)
        self.text = text
        self.positions = list(positions)

    def __reduce__(self):
        return CompileError, (self.text, self.positions)


# What every start of a program needs is found without hashlib and shutil, which take longer than all else.

def _new_hash():
    try:
        from _blake2 import blake2b     # that of hashlib, which loads OpenSSL
    except ImportError:
        from hashlib import blake2b
    return blake2b(digest_size=20)


def _which(name):
    """The path of a program, or None."""
    folders = [""] if os.path.dirname(name) else os.get_exec_path()
    paths = [os.path.join(folder, name) for folder in folders]
    return next((p for p in paths if os.path.isfile(p) and os.access(p, os.X_OK)), None)


# ---- Programs ----

class Program:
    """The text of a program, and the files it imports: {path relative to it: text}."""

    def __init__(self, text, name, line, files):
        self.text, self.name, self.line, self.files = text, name, line, files

    def digest(self):
        h = _new_hash()
        h.update(self.text.encode())
        for path in sorted(self.files):
            h.update(f"\0{path}\0{self.files[path]}".encode(errors="surrogateescape"))
        return h.hexdigest()


class Loaded:
    """A library made elsewhere."""

    def __init__(self, path):
        self.path = os.path.abspath(path)


def _read(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except UnicodeDecodeError as e:
        raise CompileError(f"{_shown(path)} is not text in UTF-8: {e}") from None


def _shown(path):
    """As it is called in messages, whatever the language of the system: names of files are UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


_import = re.compile(r'\bimport\s+"([^"]+)"')


def _imports(text, folder, base, files):
    for name in _import.findall(text):
        if name.startswith("/"):        # of the prelude
            continue
        path = os.path.normpath(os.path.join(folder, name + ".fut"))
        key = os.path.relpath(path, base or os.curdir)
        if key in files or not os.path.exists(path):
            continue                    # the compiler says what is missing
        files[key] = _read(path)
        _imports(files[key], os.path.dirname(path), base, files)


def program_of(source, name, line):
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(".fut")
                                           and "\n" not in source):
        path = os.path.abspath(source)
        text, folder, name = _read(path), os.path.dirname(path), name or _shown(source)
    elif isinstance(source, str):
        text, folder, name = source, "", name or "<program>"
    else:
        raise TypeError("a program is a path ending in .fut, or text")
    try:
        text.encode()
    except UnicodeEncodeError as e:
        raise CompileError(f"{name} is not text in UTF-8: {e}") from None
    files = {}
    _imports(text, folder, folder, files)
    return Program(text, name, line, files)


def options_of(backend, threads, deterministic, cache_limit, cflags, verbose):
    auto = backend == "auto"
    if auto:
        if not find_c_compiler():
            warnings.warn("no C compiler was found: programs are interpreted, which is slow", stacklevel=3)
            backend = "interpreter"
        else:
            try:
                n = len(os.sched_getaffinity(0))
            except AttributeError:
                n = os.cpu_count() or 1
            backend = "multicore" if n > 1 else "c"
    if backend not in BACKENDS:
        raise ValueError(f"there is no back end {backend!r}; there are {', '.join(BACKENDS)} and auto")
    if backend != "interpreter" and not find_c_compiler():
        what = f"there is no {os.environ['CC']} ($CC)" if os.environ.get("CC") else "no C compiler was found"
        warnings.warn(f"{what}: the program is interpreted, which is slow.  Install one, or raido[cc]", stacklevel=3)
        backend = "interpreter"
    for what, n in (("threads", threads), ("cache_limit", cache_limit)):
        if not isinstance(n, int) or n < 0:
            raise ValueError(f"{what} should be a number that is not negative, not {n!r}")
    return {"backend": backend, "threads": int(threads), "deterministic": bool(deterministic),
            "cache_limit": int(cache_limit), "cflags": cflags, "verbose": verbose,
            "auto": auto and backend != "interpreter"}


# ---- Tools ----

@functools.lru_cache(None)
def find_compiler():
    """The compiler of this package: $RAIDO, the one inside, or one on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (os.environ.get("RAIDO"), os.path.join(here, "bin", "raido"),
                 os.path.join(here, "..", "..", "build", "raido"), _which("raido")):
        if path and os.access(path, os.X_OK):
            return os.path.abspath(path)
    raise CompileError("the compiler of Raido was not found: set $RAIDO to it")


def find_c_compiler():
    """The command of a C compiler as a list: $CC, cc, gcc, clang, or the one of ziglang; else None."""
    if os.environ.get("CC"):
        words = os.environ["CC"].split()
        return words if words and _which(words[0]) else None
    return _any_c_compiler()


@functools.lru_cache(None)
def _any_c_compiler():
    for name in ("cc", "gcc", "clang"):
        if _which(name):
            return [name]
    try:
        import ziglang
    except ImportError:
        return None
    zig = os.path.join(os.path.dirname(ziglang.__file__), "zig")
    return [zig, "cc"] if os.access(zig, os.X_OK) else None


@functools.lru_cache(None)
def load_nvrtc():
    """Finds the compiler of kernels: of the CUDA toolkit, or among the packages that PyTorch and JAX come with."""
    import ctypes
    import glob
    packaged = [f for folder in sys.path for f in sorted(glob.glob(os.path.join(folder, "nvidia", "*", "lib",
                                                                                "libnvrtc.so.*")), reverse=True)]
    for name in ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"] + [f for f in packaged if ".alt." not in f]:
        try:
            return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
    return None                         # programs say what is missing


def cache_directory():
    """Where compiled programs are kept: $RAIDO_CACHE, or raido in the user's cache."""
    given = os.environ.get("RAIDO_CACHE")
    if given:
        return given
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "raido")


@functools.lru_cache(None)
def _processor():
    """Libraries are for the processor at hand."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
            for line in f:
                if line.startswith(("flags", "Features")):
                    return os.uname().machine + line
    except OSError:
        pass
    return os.uname().machine


@functools.lru_cache(None)
def _compiler_stamp(path):
    """What changes when the compiler does."""
    s = os.stat(path)
    return f"{path} {s.st_size} {s.st_mtime_ns}"


def _flags(options, cc):
    if options["cflags"] is not None:
        return options["cflags"].split()
    native = [] if cc[-1] == "cc" and len(cc) > 1 else ["-march=native"]
    return CFLAGS.split() + native


def _key(program, specs, options, cc, flags):
    h = _new_hash()
    for part in (program.digest(), program.name, str(program.line), "\0".join(specs), options["backend"],
                 " ".join(cc), " ".join(flags), _processor(), _compiler_stamp(find_compiler()),
                 sys.platform):
        h.update(part.encode(errors="surrogateescape"))
        h.update(b"\0\0")
    return h.hexdigest()


# ---- Building ----

_position = re.compile(r"^(Error|Warning) at (.*?):(\d+):(\d+)", re.M)


def _original(text, path, program):
    """Files that the program imports, as they are called where it is."""
    for name in program.files:
        shown = os.path.normpath(os.path.join(os.path.dirname(program.name), name))
        text = text.replace(os.path.normpath(os.path.join(os.path.dirname(path), name)), shown)
    return text


def _explain(said, path, program):
    """The errors at lines of the program's text."""
    def line_of(m):
        return f"{m.group(1)} at {program.name}:{int(m.group(3)) + program.line - 1}:{m.group(4)}"
    said = _original(said.strip(), path, program)
    own = re.compile(r"^(Error|Warning) at (" + re.escape(path) + r"):(\d+):(\d+)", re.M)
    text = own.sub(line_of, said).replace(path, program.name)
    text = re.sub(r"^Cannot derive (\S+)=\1: ", "", text, flags=re.M)  # as `build` names them
    if program.line != 1:
        text = re.sub(r"^( *)(\d+) \|", lambda m: f"{m.group(1)}{int(m.group(2)) + program.line - 1} |", text,
                      flags=re.M)
    positions = [(m.group(2), int(m.group(3)), int(m.group(4))) for m in _position.finditer(text)
                 if m.group(1) == "Error"]
    return text, positions


def write_program(program, folder):
    """Puts the files of a program into a folder; the path of the program."""
    path = os.path.join(folder, "program.fut")
    depth = max([p.count("../") for p in program.files] or [0])
    inner = os.path.join(folder, *["d"] * depth)
    os.makedirs(inner, exist_ok=True)
    path = os.path.join(inner, "program.fut")
    for name, text in dict(program.files, **{"program.fut": program.text}).items():
        to = os.path.normpath(os.path.join(inner, name))
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "w", encoding="utf-8") as f:
            f.write(text)
    return path


def _ended(code):
    if code >= 0:
        return f"ended with {code}"
    import signal
    return f"was ended by signal {-code} ({signal.strsignal(-code)})"


def run_compiler(program, command, path):
    import subprocess
    done = subprocess.run([find_compiler(), *command, path], capture_output=True, encoding="utf-8", errors="replace",
                          check=False, stdin=subprocess.DEVNULL)
    text, positions = _explain(done.stderr, path, program)
    if done.returncode != 0:
        if len(program.text.split()) == 1:      # no program is a single word
            text += "\nHint: this was taken for the text of a program; paths end in .fut."
        raise CompileError(text or f"the compiler {_ended(done.returncode)}", positions)
    if text:
        warnings.warn(text, stacklevel=6)


class _Progress:
    """A line on the terminal while something takes its time."""

    def __init__(self, what, verbose):
        terminal = sys.stderr is not None and sys.stderr.isatty()
        shown = sys.stderr is not None and (verbose if verbose is not None else terminal)
        self.text = f"raido: compiling {what} ..." if shown else None
        self.erases = shown and terminal

    def __enter__(self):
        if self.text:
            print(self.text, end="" if self.erases else "\n", file=sys.stderr, flush=True)

    def __exit__(self, *_):
        if self.text and self.erases:
            print("\r" + " " * len(self.text) + "\r", end="", file=sys.stderr, flush=True)


def build(program, specs, options):
    """The path of the library for a program, or for what is derived from it; None: it is interpreted."""
    if isinstance(program, Loaded):
        if specs:
            raise CompileError("a library that was loaded has no derivatives: compile the program, or give "
                               "--derive when the library is made")
        return program.path
    if options["backend"] == "interpreter":
        return None
    cc = find_c_compiler()
    flags = _flags(options, cc)
    folder = os.path.join(cache_directory(), "v1")
    name = _key(program, specs, options, cc, flags) + ".so"
    for there in (folder, _own_folder and _own_folder.name):
        if there and _is_whole(os.path.join(there, name)):
            return os.path.join(there, name)
    import tempfile
    folder = _writable(folder)
    with _Progress(", ".join(specs) or program.name, options["verbose"]), \
            tempfile.TemporaryDirectory() as work:
        source = write_program(program, work)
        made = os.path.join(work, "library")
        command = [options["backend"], "--library", "--slim", "-o", made]
        if options["backend"] == "cuda":
            command.append("--device-scalars")
        if specs:
            command += ["-w", "--only-derived"] + [w for s in specs for w in ("--derive", f"{s}={s}")]
        run_compiler(program, command, source)
        _name_places(made + ".c", source, program)
        _compile_c(cc, flags, made + ".c", made + ".so", options["backend"], work)
        with open(made + ".so", "rb") as f:
            library = f.read()
        library += _end_of(library)
        try:
            return _keep(library, folder, name)
        except OSError as e:            # the disk is full
            if _own_folder and folder == _own_folder.name:
                raise
            return _keep(library, _instead_of(folder, e.strerror, 6), name)


def _keep(library, folder, name):
    """Puts a library into a folder, at once, whoever else compiles the same; its path."""
    import tempfile
    path = os.path.join(folder, name)
    to = tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False)
    try:
        with to:
            to.write(library)
        os.replace(to.name, path)
    except BaseException:
        os.unlink(to.name)
        raise
    return path


def _end_of(library):
    h = _new_hash()
    h.update(library)
    return b"the end of a library for raido\n" + h.digest()


def _is_whole(path):
    """Is it there, as it was?  A disk that was full, or a machine that went down, may leave less or something else of it, and
    loading that would end the process."""
    try:
        with open(path, "rb") as f:
            all = f.read()
        n = len(_end_of(b""))
        return all[-n:] == _end_of(memoryview(all)[:-n])
    except OSError:
        return False


_own_folder = None                      # of this process


def _writable(folder):
    """The folder, or another one if nothing can be put there."""
    try:
        os.makedirs(folder, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
        reason = "Permission denied"
    except OSError as e:
        reason = e.strerror
    return _instead_of(folder, reason, 7)


def _instead_of(folder, reason, level):
    """One until the process ends."""
    global _own_folder
    if _own_folder is None:
        import tempfile
        warnings.warn(f"compiled programs are not kept: {_shown(folder)}: {reason}; set $RAIDO_CACHE to a folder for them",
                      stacklevel=level)
        _own_folder = tempfile.TemporaryDirectory(prefix="raido")
    return _own_folder.name


def _name_places(path, source, program):
    """Errors at run time name lines of the program, not those of the file that was compiled."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    name = program.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")

    def place(m):
        first, more = int(m.group(1)) + program.line - 1, m.group(3)
        return f"{name}:{first}:{m.group(2)}-" + (f"{int(more) + program.line - 1}:" if more else "")
    text = _original(text, source, program)
    text = re.sub(re.escape(source) + r":(\d+):(\d+)-(?:(\d+):)?", place, text)
    text = re.sub(re.escape(source) + r":(\d+)", lambda m: f"{name}:{int(m.group(1)) + program.line - 1}", text)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def _compile_c(cc, flags, source, to, backend, work):
    """Temporary files of the C compiler are in the folder `work`: they stay if it is killed."""
    import subprocess
    command = cc + flags + ["-w", "-shared", "-fPIC", "-o", to, source, "-lm"]
    if backend in ("multicore", "cuda"):
        command += ["-pthread", "-ldl"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=work))
    if done.returncode != 0:
        raise CompileError(f"the C compiler failed: {' '.join(command)}\n{done.stderr}")
