# The TextMate grammar against the lexer: every token of a program must have a scope that fits it.
#   textmate.py GRAMMAR RAIDO PROGRAM...
# What editors do with such a grammar is done here line by line: of all patterns the one that
# matches first wins, of several at the same place the first of the list.
import json
import re
import subprocess
import sys

grammar = json.load(open(sys.argv[1]))
words = set("""true false if then else let in loop for while do match case with assert def entry type
module val local import open include""".split())


def flat(patterns):
    out = []
    for p in patterns:
        if "include" in p:
            rule = grammar["repository"][p["include"][1:]]
            out += flat(rule["patterns"] if "match" not in rule and "begin" not in rule else [rule])
        else:
            p = dict(p)
            p["re"] = re.compile(p.get("match", p.get("begin")))
            if "begin" in p:
                p["end_re"] = re.compile(p["end"])
                p["inner"] = flat(p.get("patterns", []))
            out.append(p)
    return out


top = flat(grammar["patterns"])


# The scope of each character of a line; `inside` is the stack of rules that began and did not end.
def scopes(line, inside):
    out = [""] * (len(line) + 1)
    at = 0
    while at <= len(line):
        rule = inside[-1] if inside else None
        best, of, end = None, None, False
        if rule:
            best, end = rule["end_re"].search(line, at), True
        for p in rule["inner"] if rule else top:
            m = p["re"].search(line, at)
            if m and (best is None or m.start() < best.start()):
                best, of, end = m, p, False
        if rule:
            stop = best.start() if best else len(line)
            out[at:stop] = [rule["name"]] * (stop - at)
        if not best:
            break
        name = rule["name"] if end else of.get("name", "")
        out[best.start():best.end()] = [name] * (best.end() - best.start())
        for k, c in ({} if end else of.get("captures", {})).items():
            lo, hi = best.span(int(k))
            out[lo:hi] = [c["name"]] * (hi - lo)
        if end:
            inside.pop()
        elif "begin" in of:
            inside.append(of)
        if best.end() == at and (end or "begin" not in of):
            at += not end
            if end and at >= len(line):
                break
        else:
            at = best.end()
    return out


def fits(token, scope):
    if token.startswith("-- |"):
        return scope.startswith("comment")
    if token in ("true", "false"):
        return scope.startswith("constant.language")
    if token in words:
        return scope.startswith("keyword")
    if token[0] == '"' or (token[0] == "'" and token[-1] == "'" and len(token) > 2):
        return scope.startswith("string")
    if re.match(r"\d", token):
        return scope.startswith("constant.numeric") or "attribute" in scope
    if token[0] == "#" and len(token) > 1 and token[1] != "[":
        return scope.startswith("constant.other")
    if re.match(r"[A-Za-z_]", token):
        return re.match(r"entity|variable|support|meta|keyword.operator", scope) is not None
    if re.match(r"[-+*/%=!><|&^]", token):
        return scope.startswith("keyword.operator") or scope in ("", "storage.modifier.futhark") \
            or scope.startswith("entity")                  # '^t
    return not scope.startswith(("comment", "string.quoted.double"))


bad = count = 0
for path in sys.argv[3:]:
    text = open(path, encoding="utf-8", errors="replace").read()
    lines = text.split("\n")
    inside, all_scopes = [], []
    for line in lines:
        all_scopes.append(scopes(line, inside))
    said = subprocess.run([sys.argv[2], "tokens", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode(errors="replace")
    for row in said.split("\n"):
        m = re.match(r"(\d+):(\d+)-\S+ (.+)$", row)
        if not m:
            continue
        line, column, token = int(m[1]) - 1, int(m[2]) - 1, m[3]
        count += 1
        if not fits(token, all_scopes[line][column]):
            bad += 1
            if bad <= 20:
                print("%s:%d:%d: %s has the scope %s" % (path, line + 1, column + 1, token,
                                                         all_scopes[line][column] or "(none)"))
print("%d wrong" % bad)
print("%d tokens" % count, file=sys.stderr)
