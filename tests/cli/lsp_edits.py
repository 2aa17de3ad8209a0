# A server that has seen many changes says what a fresh one says of the same text.
#   lsp_edits.py RAIDO COUNT [SEED] PROGRAM...
# Random changes of programs, as an editor sends them: tokens and lines put in, left out, replaced,
# moved, and what was there before put back.  After each some questions, in any order, all of which a
# new server that opens the text is asked as well.  Programs that import others have them open too.
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp_client import Server

raido, count, rest = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
rng = random.Random(int(rest.pop(0)) if rest[0].isdigit() else 7)
originals = {os.path.realpath(p): open(p, encoding="utf-8").read() for p in rest}
passed = failed = 0
WORDS = ["(", ")", "[", "]", "{", "}", "let x = 1 in ", " in ", "\"", "'", "#", "#[", ".", "->", "=",
         "def ", "\U0001d11e", "-- ", "import \"lib\"\n", "match ", "loop ", "if ", ":", ":>", "x", "xs",
         "i32", "f64.", "map ", "module m = {", "\r\n", "\t", "1e", "0x", "type ", "+ ", "with ", "open ",
         "\ndef fresh = 1\n", "\n\ndef f32 = 2\n", "1", "-- | doc\n"]


def units(s):
    return len(s.encode("utf-16-le", "surrogatepass")) // 2


def place(text, offset):
    before = text[:offset]
    line = before.count("\n")
    return {"line": line, "character": units(before[before.rfind("\n") + 1:])}


# A change: from, to, new text.
def choose(text, original):
    kind = rng.randrange(10)
    spots = [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)] or [(0, 0)]
    lo, hi = rng.choice(spots)
    if kind == 0 and text != original:
        return 0, len(text), original
    if kind == 1:
        return lo, spots[min(spots.index((lo, hi)) + rng.randrange(4), len(spots) - 1)][1], ""
    if kind in (2, 3):
        return lo, lo, rng.choice(WORDS)
    if kind == 4:
        a, b = rng.choice(spots)
        return lo, hi, text[a:b]
    if kind == 5:
        return hi, hi, rng.choice(["a", "1", ".", " ", "_"])
    start, end = text.rfind("\n", 0, lo) + 1, text.find("\n", lo) + 1 or len(text)
    if kind == 6:
        return start, end, ""
    if kind == 7:
        return start, start, rng.choice(text.split("\n")) + "\n"
    if kind == 8:
        return start, start, "\n" * rng.randint(1, 3)
    return lo, hi, text[lo:hi] + "'"


def edit(text, original):
    lo, hi, new = choose(text, original)
    # Put back where they were: most texts are right but for a word or two.
    if rng.random() < 0.5 and text != original:
        n = 0
        while n < min(len(text), len(original)) and text[n] == original[n]:
            n += 1
        m = 0
        while m < min(len(text), len(original)) - n and text[-1 - m] == original[-1 - m]:
            m += 1
        lo, hi, new = n, len(text) - m, original[n:len(original) - m]
    return lo, hi, new


# All carriage returns count as part of their line, as for the server.
def questions(uri, text):
    offset = rng.randrange(len(text) + 1)
    a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    doc = {"textDocument": {"uri": uri}}
    at = {**doc, "position": place(text, offset)}
    part = {**doc, "range": {"start": place(text, a), "end": place(text, b)}}
    return [
        ("hover", at), ("definition", at), ("typeDefinition", at), ("completion", at),
        ("references", {**at, "context": {"includeDeclaration": True}}), ("documentHighlight", at),
        ("signatureHelp", at), ("prepareRename", at), ("rename", {**at, "newName": "fresh"}),
        ("documentSymbol", doc), ("foldingRange", doc), ("semanticTokens/full", doc),
        ("semanticTokens/range", part), ("inlayHint", part), ("formatting", doc),
        ("codeAction", {**part, "context": {"diagnostics": []}}),
    ]


# Without the number of the question.
def answers(s, asked):
    out = [s.answer("textDocument/" + m, **p) for m, p in asked]
    return [a.get("result", a.get("error")) for a in out]


def imported(path):
    folder = os.path.dirname(path)
    found = [os.path.join(folder, n + ".fut") for n in re.findall(r'import "(\w+)"', originals[path])]
    return [f for f in found if f in originals]


def try_program(path, steps):
    global passed, failed
    others = imported(path)
    texts = {p: originals[p] for p in [path] + others}
    s = Server(raido)
    s.start()
    for p in texts:
        s.open("file://" + p, texts[p])
    for _ in range(steps):
        of = rng.choice([path] * 4 + others)
        lo, hi, new = edit(texts[of], originals[of])
        change = {"range": {"start": place(texts[of], lo), "end": place(texts[of], hi)}, "text": new}
        texts[of] = texts[of][:lo] + new + texts[of][hi:]
        s.notify("textDocument/didChange", textDocument={"uri": "file://" + of, "version": 2},
                 contentChanges=[change])
        asked = questions("file://" + path, texts[path])
        asked = rng.sample(asked, rng.randint(1, len(asked)))
        have = answers(s, asked)
        diagnostics = s.diagnostics("file://" + of)
        fresh = Server(raido)
        fresh.start()
        for p in others + [path]:
            d = fresh.open("file://" + p, texts[p])
            if p == of:
                wanted = d
        rng.shuffle(order := list(range(len(asked))))
        got = answers(fresh, [asked[i] for i in order])
        want = {i: a for i, a in zip(order, got)}
        died = s.ask("raido/deaths")
        for i, (method, params) in enumerate(asked):
            if have[i] == want[i]:
                passed += 1
            else:
                failed += 1
                print("%s: %s %s\nafter changes %s\nfresh         %s\nof %r" % (
                    path, method, params, have[i], want[i], texts))
        if died or diagnostics != wanted:
            failed += 1
            print("%s: diagnostics, or %d died\nafter changes %s\nfresh         %s\nof %r" % (
                path, died, diagnostics, wanted, texts))
        else:
            passed += 1
        fresh.stop()
    s.stop()


paths = [p for p in originals if originals[p].strip()]
for n in range(count):
    try_program(paths[n % len(paths)], 12)
print("%d passed, %d failed" % (passed, failed))
