# An editor that speaks to `raido lsp`, whose path is the first argument.
import json
import os
import subprocess
import sys

passed = failed = count = 0
p = subprocess.Popen([sys.argv[1], "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("lsp.py:", what)


def raw(text):
    p.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    p.stdin.flush()


def receive():
    length = 0
    for line in iter(p.stdout.readline, b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line[15:])
    return json.loads(p.stdout.read(length))


def notify(method, **params):
    raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())


def ask(method, **params):
    global count
    count += 1
    raw(json.dumps({"jsonrpc": "2.0", "id": count, "method": method, "params": params}).encode())
    r = receive()
    check(r["id"] == count and r["jsonrpc"] == "2.0", method)
    return r.get("result", r.get("error"))


def at(line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def span(r):
    return (r["start"]["line"], r["start"]["character"], r["end"]["line"], r["end"]["character"])


os.mkdir("a dir")
open("a dir/lib.fut", "w").write("-- | Twice.\ndef twice (x: i32) = 2 * x\n")
here = "file://" + os.path.realpath("a dir").replace(" ", "%20")
uri = here + "/main.fut"
r = ask("initialize", capabilities={})
check(r["capabilities"]["hoverProvider"] and r["serverInfo"]["name"] == "raido", "capabilities")
notify("initialized")

notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "futhark", "version": 1,
       "text": 'import "lib"\ndef f (x: i32) = twicee x\n'})
r = receive()
check(r["method"] == "textDocument/publishDiagnostics" and r["params"]["uri"] == uri, "method")
d = r["params"]["diagnostics"]
check(len(d) == 1 and span(d[0]["range"]) == (1, 17, 1, 23) and d[0]["severity"] == 1, "an error")
check(d[0]["message"] == 'Unknown name "twicee"\nHint: did you mean "twice"?', "its message")
check(ask("textDocument/hover", **at(1, 18)) is None, "no types where there are errors")

notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
       contentChanges=[{"text": 'import "lib"\ndef f = twice 3\ndef g : bool = twice 4\n'}])
check(len(receive()["params"]["diagnostics"]) == 1, "an error of type")
r = ask("textDocument/hover", **at(1, 10))
check(r and r["contents"]["value"].startswith("```futhark\ntwice : i32 -> i32"), "beside an error")
r = ask("textDocument/definition", **at(2, 17))
check(r and r["uri"] == here + "/lib.fut", "a definition, in what has an error")

notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
       contentChanges=[{"text": '-- \U0001d11e \u00e9\ndef f = length "\U0001d11e"\n'}])
check(receive()["params"]["diagnostics"] == [], "characters of two escapes")

notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
       contentChanges=[{"text": 'import "lib"\ndef f   (x: i32) = twice x\nentry g = f 1\n'}])
check(receive()["params"]["diagnostics"] == [], "no error any more")
r = ask("textDocument/hover", **at(1, 20))
check(r["contents"]["value"] == "```futhark\ntwice : i32 -> i32\n```\n\nTwice.", "hover")
check(span(r["range"]) == (1, 19, 1, 24), "place of the name")
r = ask("textDocument/definition", **at(1, 20))
check(r["uri"] == here + "/lib.fut" and span(r["range"]) == (1, 4, 1, 9), "in another file")
r = ask("textDocument/definition", **at(2, 10))
check(r["uri"] == uri and span(r["range"]) == (1, 4, 1, 5), "in this file")
check(ask("textDocument/definition", **at(0, 0)) is None, "no name")
r = ask("textDocument/formatting", textDocument={"uri": uri}, options={"tabSize": 2})
check(r[0]["newText"].startswith('import "lib"\n') and "def f (x: i32)" in r[0]["newText"], "format")

check(ask("textDocument/nonsense")["code"] == -32601, "no such method")
check(ask("textDocument/hover", textDocument={"uri": "file:///no"})is None, "no such document")
raw(b"{nonsense")
check(receive()["error"]["code"] == -32700, "not JSON")
raw(b'{"id": "x"}')
check(receive()["error"]["code"] == -32600, "no method")

# What is gone takes no memory: many changes of a large document, all but the last unanswered.
def memory():
    try:
        return [int(l.split()[1]) for l in open("/proc/%d/status" % p.pid) if l.startswith("VmRSS")][0]
    except OSError:
        return 0
def change():
    notify("textDocument/didChange", textDocument={"uri": uri, "version": 3},
           contentChanges=[{"text": "def x = 1\n" + 20000 * "-- nothing\n"}])
    return receive()
for i in range(5):
    change()
before = memory()
for i in range(40):
    change()
check(memory() - before < 4000, "memory of old versions is given back")

notify("textDocument/didClose", textDocument={"uri": uri})
check(receive()["params"]["diagnostics"] == [], "closed")
check(ask("shutdown") is None, "shutdown")
notify("exit")
check(p.wait(timeout=60) == 0, "exit code")
print("%d passed, %d failed" % (passed, failed))
