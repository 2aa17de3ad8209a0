# Broken programs: every request on mutations of programs, each answer well-formed.
#   lsp_broken.py RAIDO COUNT PROGRAM...
# The mutations are the same each time: truncated text, tokens left out or doubled, garbage and
# characters of two units put in.
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp_client import Server

raido, count, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
rng = random.Random(12)
sources = [open(p, encoding="utf-8").read() for p in paths]
passed = failed = 0
GARBAGE = ["(", ")", "[", "]", "{", "}", "let ", " in ", "\"", "'", "#", "#[", ".", "..", "->", "=",
           "\\", "def ", "\U0001d11e", "\u00e9", "-- ", "import \"", "match ", "case ", "loop ",
           "if ", " then ", ":", ":>", "?", "$", "`", "*", "module m = {", "\r\n", "\t", "\0", "1e",
           "0x", "val ", "type ", "^", "~", "with ", "@"]


def mutate(text):
    tokens = re.findall(r"\s+|\w+|.", text, re.S)
    for _ in range(rng.randint(1, 3)):
        i, kind = rng.randrange(len(tokens)), rng.randrange(6)
        if kind == 0:
            tokens = tokens[:i + 1]
        elif kind == 1:
            del tokens[i:i + rng.randint(1, 3)]
        elif kind == 2:
            tokens.insert(i, rng.choice(GARBAGE))
        elif kind == 3:
            tokens.insert(i, tokens[rng.randrange(len(tokens))])
        elif kind == 4:
            tokens.insert(i, rng.choice(["\U0001d11e", "\"\U0001f600\" ", "-- \U0001f600\n"]))
        else:
            tokens[i:i + rng.randint(2, 20)] = []
        tokens = tokens or [" "]
    return "".join(tokens)


def units(s):
    return len(s.encode("utf-16-le", "surrogatepass")) // 2


# A range is inside of the text, and not backwards.
def is_range(r, lines):
    def ok(p):
        return 0 <= p["line"] < len(lines) and 0 <= p["character"] <= units(lines[p["line"]])
    a, b = r["start"], r["end"]
    return ok(a) and ok(b) and (a["line"], a["character"]) <= (b["line"], b["character"])


# Whether all places in an answer that are of this document are in it.
def places_are_right(x, lines, here=True):
    if isinstance(x, list):
        return all(places_are_right(y, lines, here) for y in x)
    if not isinstance(x, dict):
        return True
    here = here and x.get("uri", uri) == uri
    for key in ("range", "selectionRange"):
        if here and key in x and not is_range(x[key], lines):
            return False
    if "changes" in x:
        return all(places_are_right(v, lines, k == uri) for k, v in x["changes"].items())
    return all(places_are_right(v, lines, here) for v in x.values())


def check(ok, what, text):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("lsp_broken.py:", what, "of", repr(text))


uri = "file://" + os.path.realpath(".") + "/broken.fut"
s = Server(raido)
s.start()
s.open(uri, "")
for n in range(count):
    text = mutate(sources[n % len(sources)])
    lines = text.replace("\0", " ").split("\n")
    check(places_are_right(s.change(uri, text), lines), "diagnostics", text)
    line = rng.randrange(len(lines))
    at = {"textDocument": {"uri": uri},
          "position": {"line": line, "character": rng.randint(0, units(lines[line]))}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    doc = {"textDocument": {"uri": uri}}
    wanted = [
        ("hover", at, (type(None), dict)), ("definition", at, (type(None), dict)),
        ("typeDefinition", at, (type(None), dict)), ("completion", at, dict),
        ("references", {**at, "context": {"includeDeclaration": True}}, list),
        ("documentHighlight", at, list), ("signatureHelp", at, (type(None), dict)),
        ("prepareRename", at, dict), ("rename", {**at, "newName": "fresh"}, dict),
        ("documentSymbol", doc, list), ("foldingRange", doc, list),
        ("semanticTokens/full", doc, dict), ("semanticTokens/range", {**doc, "range": whole}, dict),
        ("inlayHint", {**doc, "range": whole}, list), ("formatting", doc, (type(None), list)),
        ("codeAction", {**doc, "range": whole, "context": {"diagnostics": []}}, list),
    ]
    for method, params, kind in wanted:
        m = s.answer("textDocument/" + method, **params)
        r = m.get("result", m.get("error"))
        refused = "error" in m and m["error"]["code"] == -32803 and "ename" in method
        check(refused or ("result" in m and isinstance(r, kind)), method, text)
        check(places_are_right(r, lines), "places of " + method, text)
    if "VERBOSE" in os.environ:
        print(n, flush=True)
died = s.ask("raido/deaths")
check(died == 0, "%s workers died" % died, "")
check(s.stop() == 0, "exit code", "")
print("%d passed, %d failed" % (passed, failed))
