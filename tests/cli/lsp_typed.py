# Programs while they are typed: the text ends after two letters of a name, and completion offers the name.
#   lsp_typed.py RAIDO PROGRAM...
# All names of three letters or more that are used, not bound, are tried.
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp_client import Server

KEYWORDS = set("def entry let in type module import open local val loop for while do if then else match case "
               "with assert true false include".split())
TOKEN = re.compile(r"--[^\n]*|\"[^\"]*\"|\d[\w.]*|(?P<name>[A-Za-z_][\w']*)", re.S)
passed = failed = 0


# Is it a name that is bound here: a definition, a pattern, a parameter, a field?
def is_bound(before, after):
    line = before[before.rfind("\n") + 1:]
    return (re.search(r"(\bdef|\bentry|\btype|\bmodule|\blet|\bloop|\\|\bfor)\s*\(?([\w', ]*,\s*)?$", line) is not None
            or re.match(r"[\w']*\s*[:=](?!=)", after) is not None
            or re.search(r"\blet\s+\w+(\s+\w+)*\s+$", line) is not None)


server = Server(sys.argv[1])
server.start()
for path in sys.argv[2:]:
    text = open(path, encoding="utf-8").read()
    uri = "file://" + os.path.join(os.path.dirname(os.path.abspath(path)), "typed.fut")
    server.open(uri, "")
    for m in TOKEN.finditer(text):
        name = m.group("name")
        if not name or len(name) < 3 or name in KEYWORDS or is_bound(text[:m.start()], text[m.start():]):
            continue
        typed = text[:m.start() + 2]
        server.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
                      contentChanges=[{"text": typed}])
        answer = server.ask("textDocument/completion", textDocument={"uri": uri},
                            position={"line": typed.count("\n"), "character": len(typed) - typed.rfind("\n") - 1})
        if name in {i["label"] for i in answer["items"]}:
            passed += 1
        else:
            failed += 1
            print("lsp_typed.py:", path, "line", typed.count("\n") + 1, name)
    if not passed:
        failed += 1
        print("lsp_typed.py:", path, "has no names")
server.stop()
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
