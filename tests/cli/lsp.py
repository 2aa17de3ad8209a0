# An editor that speaks to `raido lsp`, whose path is the first argument: every request.
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp_client import Server

passed = failed = 0


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("lsp.py:", what)


def span(r):
    return (r["start"]["line"], r["start"]["character"], r["end"]["line"], r["end"]["character"])


os.environ["XDG_CACHE_HOME"] = os.path.realpath("cache")
os.mkdir("a dir")
open("a dir/lib.fut", "w").write("-- | Twice.\ndef twice (x: i32) = 2 * x\n")
here = "file://" + os.path.realpath("a dir").replace(" ", "%20")
uri = here + "/main.fut"
s = Server(sys.argv[1])
check(s.ask("textDocument/hover")["code"] == -32002, "a request before initialize")
r = s.start(here)
check(r["capabilities"]["hoverProvider"] and r["serverInfo"]["name"] == "raido", "capabilities")
check(r["capabilities"]["positionEncoding"] == "utf-16", "encoding")
s.notify("initialized")
text = ""


# The place of a mark "|" that is not part of the text.
def put(marked):
    global text
    text = marked.replace("|", "")
    before = marked.split("|")[0]
    line = before.count("\n")
    column = len(before.split("\n")[-1].encode("utf-16-le")) // 2
    d = s.change(uri, text)
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}, d


def ask(method, marked, **more):
    at, _ = put(marked)
    return s.ask("textDocument/" + method, **at, **more)


def labels(marked):
    return [i["label"] for i in ask("completion", marked)["items"]]


# ---- Diagnostics ----

d = s.open(uri, 'import "lib"\ndef f (x: i32) = twicee x\n')
check(len(d) == 1 and span(d[0]["range"]) == (1, 17, 1, 23) and d[0]["severity"] == 1, "an error")
check(d[0]["message"] == 'Unknown name "twicee"\nHint: did you mean "twice"?', "its message")
_, d = put("def f (x: i32) = (x +\ndef g (y: i32) = [y,\ndef h = f true\n|")
check([x["range"]["start"]["line"] for x in d] == [1, 2, 2], "errors of syntax and of type")

# ---- Names ----

r = ask("hover", 'import "lib"\ndef f = twi|ce 3\ndef g : bool = twice 4\n')
check(r["contents"]["value"] == "```futhark\ntwice : i32 -> i32\n```\n\nTwice.", "hover")
check(span(r["range"]) == (1, 8, 1, 13), "place of the name")
r = ask("hover", "type t = {a: i32}\ndef f (x: |t) = x.a\n")
check("type t = {a: i32}" in r["contents"]["value"], "hover over a type")
r = ask("hover", "def f (x: i32) =\n  let y = x + 1\n  let z = (y +\n  in |y\n")
check(r and "y : i32" in r["contents"]["value"], "hover beside a syntax error")
r = ask("hover", "def f (x: i32) =\n  let y = |x + 1\n  in y && 2\n")
check(r and "x : i32" in r["contents"]["value"], "hover beside an error of type")
check(ask("hover", "def f = |  1\n") is None, "nothing there")
two = "def f (x: i32) =\n  let y = foo x\n  let z = x + true\n  let w = x + 1\n  in |w\n"
r = ask("hover", two)
check(r and "w : i32" in r["contents"]["value"], "hover after errors of the same definition")
_, d = put(two)
check([(x["range"]["start"]["line"], x["severity"]) for x in d] == [(1, 1), (2, 1)], "both errors")
r = ask("definition", 'import "lib"\ndef f   (x: i32) = |twice x\n')
check(r["uri"] == here + "/lib.fut" and span(r["range"]) == (1, 4, 1, 9), "in another file")
r = ask("definition", 'import "li|b"\n')
check(r["uri"] == here + "/lib.fut", "definition of an import")
r = ask("definition", "def f (x: i32) = x\nentry g = |f 1\n")
check(r["uri"] == uri and span(r["range"]) == (0, 4, 0, 5), "in this file")
r = ask("definition", "def f (x: i32) = x +\nentry g = |f 1\n")
check(r["uri"] == uri and span(r["range"]) == (0, 4, 0, 5), "beside a syntax error")
r = ask("definition", "def f (xs: []i32) = m|ap (+ 1) xs\n")
path = r["uri"][7:]
check("def map" in open(path).read().split("\n")[r["range"]["start"]["line"]], "in the prelude")
r = ask("definition", "type t = i32\nmodule m = { def x : t = 1 }\ndef f = m.|x\n")
check(span(r["range"]) == (1, 17, 1, 18), "of a member")
r = ask("definition", "module m = { def x = 1i32 }\ndef f = |m.x\n")
check(span(r["range"]) == (0, 7, 0, 8), "of a module")
r = ask("typeDefinition", "type t = {a: i32}\ndef f (x: t) = |x.a\n")
check(span(r["range"]) == (0, 5, 0, 6), "definition of the type")
shadow = "def f (x: i32) =\n  let |x = x + 1\n  let g x = x\n  in g x\n"
r = ask("references", shadow, context={"includeDeclaration": True})
check([span(x["range"]) for x in r] == [(1, 6, 1, 7), (3, 7, 3, 8)], "references of what is hidden")
r = ask("references", shadow, context={"includeDeclaration": False})
check(len(r) == 1, "references without the definition")
r = ask("documentHighlight", "def f (xs: *[2]i32) =\n  let x|s[0] = 1\n  in xs\n")
check([x["range"]["start"]["line"] for x in r] == [0, 1, 2], "highlight through an update")
open("a dir/lib.fut", "w").write("-- | Twice.\ndef twice (x: i32) = 2 * x\n")
open("a dir/other.fut", "w").write('import "lib"\ndef g = twice 2\n')
r = ask("references", 'import "lib"\ndef f = |twice 1\n', context={"includeDeclaration": True})
check(sorted(x["uri"].split("/")[-1] for x in r) == ["lib.fut", "main.fut", "other.fut"],
      "references in other files")

# ---- Renaming ----


def renamed(marked, name):
    r = ask("rename", marked, newName=name)
    if "changes" not in r:
        return r["message"]
    lines = text.split("\n")
    for e in sorted(r["changes"].get(uri, []), key=lambda e: span(e["range"]), reverse=True):
        l, a, _, b = span(e["range"])
        lines[l] = lines[l][:a] + e["newText"] + lines[l][b:]
    return "\n".join(lines)


check(renamed("def f (x: i32) = x\ndef |g = f 1 + f 2\n", "h") ==
      "def f (x: i32) = x\ndef h = f 1 + f 2\n", "rename a definition")
check(renamed("def f (x: i32) = let |y = x in {x, y}\n", "z") ==
      "def f (x: i32) = let z = x in {x, y = z}\n", "rename what is a field too")
check(renamed("def f (r: {a: i32}) = let {|a} = r in a\n", "z") ==
      "def f (r: {a: i32}) = let {a = z} = r in z\n", "rename what a field is bound to")
check(renamed("def f (n: i32) = loop |a = 1 for i < n do a + i\n", "b") ==
      "def f (n: i32) = loop b = 1 for i < n do b + i\n", "rename a loop's variable")
check(renamed("type |t = i32\ndef f (x: t) : t = x\n", "u") ==
      "type u = i32\ndef f (x: u) : u = x\n", "rename a type")
check(renamed("def f 'a [n] (xs: [|n]a) : [n]a = xs\n", "m") ==
      "def f 'a [m] (xs: [m]a) : [m]a = xs\n", "rename a size")
check("in the way" in renamed("def f (x: i32) = let |y = 1i32 in x + y\n", "x"), "a name in the way")
check("cannot be" in renamed("def |g (x: i32) = x\ndef f (h: i32) = g h\n", "h"), "a name captured")
check("Duplicate" in renamed("def |f = 1i32\ndef g = f\n", "g"), "a name taken")
check("prelude" in renamed("def f (xs: []i32) = |map (+ 1) xs\n", "mop"), "a name of the prelude")
check("built in" in renamed("def f (x: |i32) = x\n", "int"), "a name that is built in")
check("not a name" in renamed("def |f = 1i32\n", "2f"), "no name")
check("not a name" in renamed("def |f = 1i32\n", "let"), "a keyword")
check("errors" in renamed("def |f = 1i32\ndef g = 1 ) f f\n", "h"), "not all is known")
r = ask("prepareRename", "def f (abc: i32) = a|bc\n")
check(span(r["range"]) == (0, 19, 0, 22) and r["placeholder"] == "abc", "prepare")
check(ask("prepareRename", "def f = | 1\n")["code"] == -32803, "prepare nothing")
r = ask("rename", 'import "lib"\ndef f = |twice 1\n', newName="double")
check(sorted(k.split("/")[-1] for k in r["changes"]) == ["lib.fut", "main.fut", "other.fut"],
      "rename in other files")

# ---- Completion ----

check("ab1" in labels("def f (ab1: i32) = let ab2 = 1 in a|b\n"), "names in scope")
l = labels("def f (ab1: i32) =\n  let ab2 = ab1\n  let ab3 (ab4: i32) = (ab2 +\n  in ab|\ndef ab5 = 1\n")
check("ab1" in l and "ab2" in l and "ab3" in l and "ab4" not in l and "ab5" not in l, "in the body")
check(labels("def f (r: {pa: i32, pb: f64}) = r.p|\n") == ["pa", "pb"], "fields")
check(labels("def f (r: {pa: i32, pb: f64}) = r.|\ndef g = 1\n") == ["pa", "pb"], "fields after a dot")
check(labels("def f (r: {pa: {q: i32}}) = r.pa.|\n") == ["q"], "fields of fields")
check(labels("def f (rs: []{pa: i32}) = rs[0].|\n") == ["pa"], "fields of an element")
check(labels("def f (rs: []{pa: i32}) = (rs[0]).|\n") == ["pa"], "fields of what is in parentheses")
check(labels("module m = { def x1 = 1i32 def x2 = 2i32 def y = 1 }\ndef f = m.x|\n") == ["x1", "x2"],
      "members")
check("sqrt" in labels("def f (x: f64) = f64.sq|\n"), "members of the prelude's modules")
record = "def f (r: {aa: i32, bb: {cc: bool}}) = r with "
check(labels(record + "|") == ["aa", "bb"] and labels(record + "b|\n\ndef g = 1\n") == ["bb"],
      "fields to update")
check(labels(record + "bb.|") == ["cc"], "fields of fields to update")
check(labels("module m = {def opened = 1}\nopen m\ndef f = opened|\ndef opened = 2\n") == ["opened"],
      "what a later definition hides")
at, _ = put("type t = #circle f64\ndef f : t = #c|\n")
r = s.ask("textDocument/completion", **at)["items"]
check([i["label"] for i in r] == ["circle"] and r[0]["detail"] == "#circle f64", "constructors")
check("let" in labels("def f = le|\n"), "keywords")
check("sequential" in labels("def f = #[seq|\n"), "attributes")
check(set(labels('import "|\n')) == {"lib", "main", "other"} or
      set(labels('import "|\n')) == {"lib", "other"}, "files")
check(labels("-- ma|\n") == [] and labels('def f = "ma|"\n') == [], "not in comments or strings")
s.change(uri, "-- | Doc.\ndef some (x: i32) = x\ndef f = som")
r = s.ask("textDocument/completion", textDocument={"uri": uri},
          position={"line": 2, "character": 11})["items"]
check(r[0]["label"] == "some" and r[0]["detail"] == "i32 -> i32" and
      r[0]["documentation"]["value"] == "Doc.", "types and documentation")

# ---- Parameters ----

sig = "def f (x: i32) (y: f64) : bool = true\ndef g = f"
r = ask("signatureHelp", sig + " 1 |")
check(r["signatures"][0]["label"] == "f (x: i32) (y: f64) : bool" and r["activeParameter"] == 1,
      "parameters")
check(r["signatures"][0]["parameters"][1]["label"] == "(y: f64)", "a parameter")
check(ask("signatureHelp", sig + " |")["activeParameter"] == 0, "the first parameter")
check(ask("signatureHelp", sig + " (|1")["activeParameter"] == 0, "inside of an argument")
check(ask("signatureHelp", "def f = 1 |\n") is None, "no function")
for unfinished in ("let a = f 1 |", "let a = f 1 |\n", "let a = map (\\x -> f 1 |", "if z then f 1 |\n",
                   "loop a = f 1 |\n", "let a = f 1 |\n  in a\n", "match z case true -> f 1 |"):
    r = ask("signatureHelp", "def f (x: i32) (y: f64) : bool = true\ndef g (z: bool) =\n  " + unfinished)
    check(r and r["activeParameter"] == 1, "parameters before what is missing: " + unfinished)
check(any(i["label"] == "abc" for i in ask("completion", "def g =\n  let abc = 1\n  |\n")["items"]),
      "names on the next line")
for unfinished in ("{", "{x = 1, ", "{x = 1, \n\ndef h = 1\n"):
    marked = unfinished.split("\n")[0] + "|" + unfinished[len(unfinished.split("\n")[0]):]
    check(ask("signatureHelp", "def n (p: {x: i32, y: i32}) = p.x\ndef g = n " + marked) is not None,
          "in an unfinished record")

# ---- Names of what has none ----

items = ask("completion", "def f (p: i32 -> bool) = fi|\n")["items"]
check([i["detail"].count("[d]") for i in items if i["label"] == "filter"] == [2], "a size without a name")
items = ask("completion", "def f (p: i32 -> bool) = |\n")["items"]
check([i["detail"].count("[d]") for i in items if i["label"] == "filter"] == [2],
      "the same beside others")

# ---- Outlines ----

at, _ = put("type t = i32\nmodule m = {\n  def x = 1i32\n}\ndef f (x: t) = x +\ndef g = 1|\n")
r = s.ask("textDocument/documentSymbol", textDocument={"uri": uri})
check([x["name"] for x in r] == ["t", "m", "f", "g"], "symbols")
check([x["kind"] for x in r] == [23, 2, 12, 14], "kinds of symbols")
check([x["name"] for x in r[1]["children"]] == ["x"], "symbols inside")
r = s.ask("workspace/symbol", query="twi")
check([x["name"] for x in r] == ["twice"], "symbols of the workspace")
r = s.ask("textDocument/foldingRange", textDocument={"uri": uri})
check([(x["startLine"], x["endLine"]) for x in r] == [(1, 3)], "folding")

# ---- Hints and colours ----

whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
at, _ = put("def f [n] (xs: [n]f64) =\n  let ys = map (+ 1) xs\n  let k: i64 = n\n  in (ys, k)|\n")
r = s.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=whole)
check([(x["position"]["line"], x["label"]) for x in r] == [(0, ": ([n]f64, i64)"), (1, ": [n]f64")],
      "types in the text")
put("def f (x: f64) = f64.nope x\ndef g (x: f64) = x|\n")
r = s.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=whole)
check([(x["position"]["line"], x["label"]) for x in r] == [(1, ": f64")], "no types after errors")
# Names for sizes that have none stay apart from one request to the next.
put("\n".join("def g%d (xs: []f64) = filter (> %d) xs" % (i, i) for i in range(60)) + "|\n")
for i in range(60):
    r = s.ask("textDocument/inlayHint", textDocument={"uri": uri}, range={
        "start": {"line": i, "character": 0}, "end": {"line": i, "character": 40}})
    check(len(r) == 1 and r[0]["label"].startswith(": [d"), "hints %d" % i)
# Formatting needs the text alone, also as the first request after a change.
put("def   f=nope|\n")
s.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
         contentChanges=[{"text": "def   g=nope\n"}])
r = s.ask("textDocument/formatting", textDocument={"uri": uri}, options={})
check(r[0]["newText"] == "def g = nope\n", "formatting of the text")
r = s.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 0, "character": 6})
check("g" in r["contents"]["value"], "hover after formatting")
s.diagnostics(uri)
kinds = ["namespace", "type", "typeParameter", "parameter", "variable", "property", "enumMember",
         "function", "keyword", "number", "string", "comment", "operator", "interface"]


def colours(marked):
    put(marked)
    data = s.ask("textDocument/semanticTokens/full", textDocument={"uri": uri})["data"]
    out, line, column = [], 0, 0
    lines = [l.encode("utf-16-le") for l in text.split("\n")]
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (column if data[i] == 0 else 0)
        word = lines[line][2 * column:2 * (column + data[i + 2])].decode("utf-16-le")
        out.append((word, kinds[data[i + 3]]))
    return out


c = colours("-- \U0001d11e c\ndef f 't (x: t) = ({a = x}.a, \"\U0001d11e\", f64.pi + 1)|\n")
check(("-- \U0001d11e c", "comment") in c and ("def", "keyword") in c and ("f", "function") in c,
      "colours")
check(("t", "typeParameter") in c and ("x", "parameter") in c and ("a", "property") in c, "of names")
check(("f64", "namespace") in c and ('"\U0001d11e"', "string") in c and ("+", "operator") in c,
      "of others")

# ---- Quick fixes ----


def fixes(marked):
    at, d = put(marked)
    p = at["position"]
    return s.ask("textDocument/codeAction", textDocument={"uri": uri},
                 range={"start": p, "end": p}, context={"diagnostics": d})


def fixed(marked):
    return [(a["title"], e["newText"]) for a in fixes(marked) if "edit" in a
            for e in a["edit"]["changes"][uri]]


check(('Replace by "length"', "length") in fixed("def f (xs: []i32) = len|ght xs\n"), "a name")
check(("Replace by \"f64.sqrt\"", "f64.sqrt") in fixed("def f (x: f64) = |sqrt x\n"), "a member")
check(("Convert by f64.i32", "(f64.i32 i)") in fixed("def f (i: i32) : f64 = |i\n"), "a conversion")
check(("Import \"lib\"", "import \"lib\"\n") in fixed("def f = |twice 2\n"), "an import")
check(("Rename to \"_y\"", "_y") in fixed("def f (x: i32) = let |y = 1i32 in x\n"), "an unused name")
a = [x for x in fixes("def f (x: f64) (y: f64) = x * |y\n") if "command" in x]
check(len(a) == 1 and a[0]["command"]["command"] == "raido.showDerivative", "derivatives are offered")
r = s.ask("workspace/executeCommand", command=a[0]["command"]["command"],
          arguments=a[0]["command"]["arguments"])
check("vjp (\\(x0, x1) -> f x0 x1) : (f64, f64) -> f64 -> (f64, f64)" in r, "derivatives")
check(s.notices.pop(0)["method"] == "window/showMessage", "derivatives are shown")
check(s.ask("workspace/executeCommand", command="nonsense")["code"] == -32602, "no such command")

# ---- Formatting ----

at, _ = put('import "lib"\ndef f   (x: i32) = twice x\n|')
r = s.ask("textDocument/formatting", textDocument={"uri": uri}, options={"tabSize": 2})
check(r[0]["newText"].startswith('import "lib"\n') and "def f (x: i32)" in r[0]["newText"], "format")

# ---- Columns and changes ----

two = "def f (x: i32) = (\"\U0001d11e\U0001d11e\", |x)\n"
r = ask("hover", two)
check(span(r["range"]) == (0, 26, 0, 27), "columns after characters of two units")
s.notify("textDocument/didChange", textDocument={"uri": uri, "version": 3}, contentChanges=[
    {"range": {"start": {"line": 0, "character": 26}, "end": {"line": 0, "character": 27}},
     "text": "yy"}, {"range": {"start": {"line": 0, "character": 7},
                               "end": {"line": 0, "character": 8}}, "text": "yy"}])
check(s.diagnostics(uri) == [], "changes of parts")
r = s.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 0, "character": 28})
check("yy : i32" in r["contents"]["value"], "the changed text")
s.open(here + "/lib.fut", "def twice (x: f64) = x\n")
d = s.change(uri, 'import "lib"\ndef f : f64 = twice 1\n')
check(d == [], "an import that is open and not saved")
s.notify("textDocument/didClose", textDocument={"uri": here + "/lib.fut"})
s.diagnostics(here + "/lib.fut")

# ---- The protocol ----

check(s.ask("textDocument/nonsense")["code"] == -32601, "no such method")
check(s.ask("textDocument/hover", textDocument={"uri": "file:///no"}) is None, "no such document")
check(s.ask("textDocument/hover") is None, "no parameters")
for bad in (b"{nonsense", b"", b"[", b"\xff\xfe", b'"'):
    s.raw(bad)
    check(s.receive()["error"]["code"] == -32700, "not JSON")
for bad in (b'{"id": "x"}', b"1", b"[]", b"{}", b'{"id": 1, "method": 3}'):
    s.raw(bad)
    check(s.receive()["error"]["code"] == -32600, "no method")
s.notify("$/cancelRequest", id=12345)
n = s.count + 1
one = json.dumps({"jsonrpc": "2.0", "id": n, "method": "textDocument/hover", "params": at}).encode()
two = json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": n}}).encode()
s.p.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(m), m) for m in (one, two)))
s.p.stdin.flush()
s.count += 1
check(s.receive()["error"]["code"] == -32800, "cancelled")


# What is gone takes no memory: many changes of a large document, with questions in between.
def field(pid, name):
    try:
        with open("/proc/%s/status" % pid) as f:
            return sum(int(l.split()[1]) for l in f if l.startswith(name))
    except OSError:                             # it has ended
        return 0


# Of the server and of all processes that it has started, in KiB; 0 where there is no /proc.
def memory():
    family = [s.p.pid]
    there = os.listdir("/proc") if os.path.isdir("/proc") else []
    parents = [(int(p), field(p, "PPid:")) for p in there if p.isdigit()]
    for f in family:
        family += [p for p, parent in parents if parent == f]
    return sum(field(p, "RssAnon:") for p in family)


def edit(i):
    s.change(uri, "def x = %d\n" % i + 20000 * "-- nothing\n")
    s.ask("textDocument/documentSymbol", textDocument={"uri": uri})


# From the top to the bottom, over and over: what is kept follows.
def walk():
    for line in range(0, 2000, 100):
        s.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[
            {"range": {"start": {"line": line, "character": 9}, "end": {"line": line, "character": 9}},
             "text": "x"}])
        s.ask("textDocument/hover", textDocument={"uri": uri},
              position={"line": line, "character": 5})
        s.diagnostics(uri)


s.change(uri, "".join("def a%05d [n] (xs: [n]i32) = map (+ %d) xs\n" % (i, i) for i in range(2000)))
walk()
before = memory()
for i in range(4):
    walk()
check("ASAN_OPTIONS" in os.environ or memory() - before < 4000, "memory of places left is given back")
for i in range(5):
    edit(i)
before = memory()
for i in range(40):
    edit(i)
# The address sanitizer keeps what is freed for a while.
check("ASAN_OPTIONS" in os.environ or memory() - before < 4000, "memory of old versions is given back")

s.notify("textDocument/didClose", textDocument={"uri": uri})
check(s.diagnostics(uri) == [], "closed")
check(s.ask("raido/deaths") == 0, "no worker died")
check(s.stop() == 0, "exit code")

# ---- Columns in bytes ----

s = Server(sys.argv[1])
check(s.start(positionEncodings=["utf-8", "utf-16"])["capabilities"]["positionEncoding"] == "utf-8",
      "bytes")
d = s.open(uri, "def f = (\"\U0001d11e\", y)\n")
check(span(d[0]["range"]) == (0, 17, 0, 18), "columns in bytes")
check(s.stop() == 0, "exit code")
print("%d passed, %d failed" % (passed, failed))
