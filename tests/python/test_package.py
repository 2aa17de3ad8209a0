"""The source distribution, and the wheel that is made of it: without a network, in a fresh virtual environment."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

import raido

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
import backend

COMPILER = os.path.join(os.path.dirname(raido.__file__), "bin", "raido")
CALL = """
m = raido.compile("entry f [n] (w: [n]f64) : f64 = f64.sum (map (** 2) w)", backend="auto")
print(raido.__file__.startswith(sys.prefix), m.f(np.ones(3)), m.f.grad()(np.array([1., 2.])))
"""


def run(*command, **env):
    """Where nothing is taken from the package that is tested elsewhere."""
    env = dict(os.environ, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1", **env)
    for name in ("PYTHONPATH", "PIP_FIND_LINKS", "LD_PRELOAD", "MAKEFLAGS", "PYTHON_CFLAGS"):
        env.pop(name, None)
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


class Package(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.work = self.folder.name
        self.sdist = os.path.join(self.work, backend.build_sdist(self.work))

    def unpack(self):
        self.assertEqual(run("tar", "-xzf", self.sdist, "-C", self.work).returncode, 0)
        return self.sdist.removesuffix(".tar.gz")

    def test_sources(self):
        """All that the compiler is made of is there."""
        build = os.path.join(self.work, "build")
        done = run("make", "-n", "-C", self.unpack(), f"BUILD={build}", f"{build}/raido")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("main.o", done.stdout)

    def venv(self):
        there = os.path.join(self.work, "venv")
        done = run(sys.executable, "-m", "venv", there)
        if done.returncode:
            print("python: no virtual environment can be made, the installation of a wheel is not tested", flush=True)
            self.skipTest("there is no venv")
        python = os.path.join(there, "bin", "python")
        path = run(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").stdout.strip()
        with open(os.path.join(path, "numpy.pth"), "w", encoding="utf-8") as f:
            f.write(os.path.dirname(os.path.dirname(numpy.__file__)))
        return python, path

    def test_installed(self):
        python, path = self.venv()
        done = run(python, "-m", "pip", "install", "--no-deps", self.sdist, RAIDO_BINARY=COMPILER)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        code = "import sys, warnings, numpy as np, raido\n"
        there = {"RAIDO_CACHE": os.path.join(self.work, "cache")}
        want = "True 3.0 [2. 4.]\n"
        done = run(python, "-c", code + "warnings.simplefilter('error')" + CALL, **there)
        self.assertEqual((done.stdout, done.stderr), (want, ""))
        # No C compiler: the interpreter, with a warning.
        there["PATH"] = os.path.join(self.work, "nothing")
        there["CC"] = ""
        done = run(python, "-c", code + CALL, **there)
        self.assertEqual(done.stdout, want)
        self.assertIn("no C compiler was found", done.stderr)
        # raido[cc]: that of the package ziglang, here one that stands for it and says that it was there.
        done = run(python, "-c", "from importlib.metadata import requires; print(requires('raido'))")
        self.assertRegex(done.stdout, r"ziglang; extra == .cc")
        os.mkdir(os.path.join(path, "ziglang"))
        with open(os.path.join(path, "ziglang", "__init__.py"), "w", encoding="utf-8"):
            pass
        zig, used = os.path.join(path, "ziglang", "zig"), os.path.join(self.work, "used")
        with open(zig, "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\n: >'{used}'\nshift\nPATH={os.environ['PATH']} exec {os.environ.get('CC', 'cc')} \"$@\"\n")
        os.chmod(zig, 0o755)
        there["RAIDO_CACHE"] += "2"
        done = run(python, "-c", code + "warnings.simplefilter('error')" + CALL, **there)
        self.assertEqual((done.stdout, done.stderr), (want, ""))
        self.assertTrue(os.path.exists(used))


if __name__ == "__main__":
    unittest.main()
