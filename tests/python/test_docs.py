"""The programs in README.md and docs/python.md: all of a page are run, one after the other, as a reader would."""
import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def blocks(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as f:
        return re.findall(r"^```(futhark|python)\n(.*?)^```", f.read(), re.S | re.M)


def what_is_missing(text):
    """Why a block cannot be run here, or None."""
    for name in ("torch", "jax"):
        if name in text and importlib.util.find_spec(name) is None:
            return f"{name} is not installed"
    if "cuda" in text:
        import torch
        if not torch.cuda.is_available():
            return "there is no CUDA device"
    return None


class Pages(unittest.TestCase):
    def run_page(self, page):
        names, n = {"__name__": "page"}, 0
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                for kind, text in blocks(page):
                    if kind == "futhark":
                        name = re.match(r"-- (\S+\.fut)\n", text)
                        if name:
                            with open(name.group(1), "w", encoding="utf-8") as f:
                                f.write(text)
                        continue
                    n += 1
                    missing = what_is_missing(text)
                    if missing:
                        with self.subTest(f"program {n} of {page}"):
                            print(f"python: program {n} of {page} is skipped: {missing}", flush=True)
                            self.skipTest(missing)
                        continue
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(text, f"{page}, program {n}", "exec"), names)
            finally:
                os.chdir(before)
        self.assertGreater(n, 0)
        return names

    def test_readme(self):
        names = self.run_page("README.md")
        self.assertEqual((names["value"], names["gradient"].tolist()), (14, [-2, -4, -6]))

    def test_python(self):
        names = self.run_page("docs/python.md")
        self.assertEqual((names["value"], names["gradient"].tolist()), (14, [-2, -4, -6]))


if __name__ == "__main__":
    unittest.main()
