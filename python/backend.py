"""Builds wheels and source distributions of Raido (PEP 517) with make, a C compiler and Python's library alone.

A wheel has the compiler inside, and an extension for the stable ABI of Python 3.11 and later.  RAIDO_BINARY: a compiler
that was made before, instead of one that make builds."""
import base64
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# What a source distribution has: enough to make the compiler and the package.
SOURCES = ("LICENSE", "README.md", "Makefile", "pyproject.toml", "src", "rts", "prelude", "docs", "tools", "python")


def _version():
    with open(os.path.join(HERE, "raido", "__init__.py"), encoding="utf-8") as f:
        return re.search(r'^__version__ = "(.*)"', f.read(), re.M).group(1)


def _metadata():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    return ("Metadata-Version: 2.1\nName: raido\n" f"Version: {_version()}\n"
            "Summary: A compiler for Futhark's language with derivatives, and its programs as functions of Python\n"
            "Requires-Python: >=3.11\nRequires-Dist: numpy\n"
            "Provides-Extra: cc\nRequires-Dist: ziglang; extra == 'cc'\n"
            "Provides-Extra: torch\nRequires-Dist: torch; extra == 'torch'\n"
            "Provides-Extra: jax\nRequires-Dist: jax; extra == 'jax'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def _tag():
    return f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel


def _about():
    """What a wheel says of itself: {name: bytes}."""
    return {"METADATA": _metadata().encode(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: raido\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """So that installers need not make the wheel to know what it needs."""
    info = f"raido-{_version()}.dist-info"
    os.mkdir(os.path.join(metadata_directory, info))
    for name, data in _about().items():
        with open(os.path.join(metadata_directory, info, name), "wb") as f:
            f.write(data)
    return info


def _write_wheel(folder, files):
    """files: {name in the wheel: (bytes, executable)}"""
    info = f"raido-{_version()}.dist-info"
    files = dict(files)
    for name, data in _about().items():
        files[f"{info}/{name}"] = (data, False)
    record = ""
    name = f"raido-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as z:
        for path, (data, executable) in sorted(files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
            _add(z, path, data, executable)
        _add(z, f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), False)
    return name


def _add(z, path, data, executable):
    item = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
    item.compress_type = zipfile.ZIP_DEFLATED
    item.external_attr = (0o100755 if executable else 0o100644) << 16
    z.writestr(item, data)


def _n_processors():
    """Those that this process may use, which in a container can be few of many."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _make(to):
    """The package in a folder."""
    build = os.environ.get("RAIDO_BUILD", os.path.join(ROOT, "build"))
    flags = os.environ.get("CFLAGS", "-O2")     # without -g: the wheel has no symbols
    compiler = os.environ.get("RAIDO_BINARY")
    if not compiler:
        compiler = f"{build}/raido"
        # Looking for what to warn of takes the C compiler a twentieth of its time.
        subprocess.run(["make", "-s", f"-j{_n_processors()}", f"BUILD={build}", f"CFLAGS={flags}", "WARNINGS=-w",
                        compiler], cwd=ROOT, check=True, stdout=sys.stderr)
    stripped = os.path.join(to, "compiler")
    subprocess.run(["strip", "-o", stripped, compiler], check=True)
    subprocess.run([os.path.join(HERE, "make.sh"), to, stripped], check=True, stdout=sys.stderr,
                   env=dict(os.environ, PYTHON=sys.executable))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as work:
        _make(work)
        files = {}
        for folder, _, names in os.walk(os.path.join(work, "raido")):
            for n in names:
                path = os.path.join(folder, n)
                with open(path, "rb") as f:
                    files[os.path.relpath(path, work)] = (f.read(), os.access(path, os.X_OK) and "bin" in folder)
        return _write_wheel(wheel_directory, files)


def build_sdist(sdist_directory, config_settings=None):
    base = f"raido-{_version()}"
    name = f"{base}.tar.gz"

    def chosen(item):
        skip = os.path.basename(item.name) == "__pycache__" or item.name.endswith((".so", ".o"))
        item.uid = item.gid = item.mtime = 0
        item.uname = item.gname = ""
        return None if skip else item
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as t:
        for source in SOURCES:
            t.add(os.path.join(ROOT, source), f"{base}/{source}", filter=chosen)
        data = _metadata().encode()
        item = tarfile.TarInfo(f"{base}/PKG-INFO")
        item.size = len(data)
        t.addfile(item, io.BytesIO(data))
    with open(os.path.join(sdist_directory, name), "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as z:
        z.write(raw.getvalue())
    return name
