#!/usr/bin/env python3
"""Drives a GradBench tool through all twelve evals, as the suite does, with small inputs:
    tests/gradbench/driver.py COMMAND...
Compares each output with a reference (reference.py), then sends messages that make no sense, which
must be answered by an error.  The last line is `N passed, N failed`.
"""
import json
import random
import subprocess
import sys

import reference as ref

TOLERANCE = 1e-9
passed = failed = 0


def outcome(good, what):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(what)


def near(a, b):
    """Whether two JSON values agree: the same keys and lengths, numbers but for rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(near(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * max(1, abs(a) + abs(b))
    return a == b


class Tool:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def line(self, text):
        """The answer to a line, whatever it is."""
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def send(self, kind, **fields):
        answer = self.line(json.dumps({"id": self.count, "kind": kind, **fields}))
        outcome(answer.get("id") == self.count, f"{kind}: the answer has id {answer.get('id')}")
        self.count += 1
        return answer

    def define(self, module):
        answer = self.send("define", module=module)
        outcome(answer.get("success") is True, f"define {module}: {answer}")

    def evaluate(self, module, function, value, expected):
        runs = {} if module == "hello" else {"min_runs": 3, "min_seconds": 0}
        given = {**value, **runs} if isinstance(value, dict) else value
        answer = self.send("evaluate", module=module, function=function, input=given)
        name = f"{module} {function}"
        if answer.get("success") is not True or "error" in answer:
            outcome(False, f"{name}: {answer}")
            return
        outcome(near(expected, answer["output"]),
                f"{name}: {answer['output']}, expected {expected}"[:2000])
        times = [t["nanoseconds"] for t in answer["timings"] if t["name"] == "evaluate"]
        outcome(len(times) >= (3 if runs else 1) and all(type(t) is int and t >= 0 for t in times),
                f"{name}: the timings are {answer['timings']}")
        analysis = self.send("analysis", of=self.count - 1, valid=True)
        outcome("success" not in analysis, f"analysis: {analysis}")

    def close(self):
        self.process.stdin.close()
        outcome(self.process.wait(timeout=20) == 0, "the tool ended with an error")


def uniform(n, low=0.0, high=1.0):
    return [random.uniform(low, high) for _ in range(n)]


def matrix(n, m, low=0.0, high=1.0):
    return [uniform(m, low, high) for _ in range(n)]


def real(f, *args):
    return complex(f(*args)).real


def run_small(tool):
    tool.define("hello")
    x = 1.0
    for _ in range(4):
        tool.evaluate("hello", "square", x, x * x)
        x = x * x
        tool.evaluate("hello", "double", x, 2 * x)
        x = 2 * x
    tool.define("llsq")
    for m, n in ((1, 2), (5, 16), (16, 33)):
        x = uniform(m)
        tool.evaluate("llsq", "primal", {"x": x, "n": n}, ref.llsq(x, n))
        tool.evaluate("llsq", "gradient", {"x": x, "n": n},
                      ref.gradient(lambda y: ref.llsq(y, n), x))
    tool.define("lse")
    for x in (uniform(1), uniform(100), uniform(9, -700, 700)):
        tool.evaluate("lse", "primal", {"x": x}, real(ref.logsumexp, x))
        tool.evaluate("lse", "gradient", {"x": x}, ref.gradient(ref.logsumexp, x))
    tool.define("ode")
    for n, s in ((1, 1), (4, 3), (10, 10)):
        x = uniform(n)
        tool.evaluate("ode", "primal", {"x": x, "s": s}, ref.ode(x, s))
        tool.evaluate("ode", "gradient", {"x": x, "s": s},
                      ref.gradient(lambda y: ref.ode(y, s)[-1], x))
    tool.define("det")
    for n in (1, 2, 5, 6):
        a = uniform(n * n, -1, 1)
        tool.evaluate("det", "primal", {"A": a, "ell": n}, ref.det(a, n))
        tool.evaluate("det", "gradient", {"A": a, "ell": n},
                      ref.gradient(lambda b: ref.det(b, n) + 0j, a))


def run_models(tool):
    tool.define("lstm")
    for layers, bits, length in ((1, 3, 2), (2, 5, 9)):
        main, extra = matrix(2 * layers, 4 * bits, -1), matrix(3, bits, -1)
        state = matrix(2 * layers, bits, -1)
        sequence = [[float(random.random() < 0.5) for _ in range(bits)] for _ in range(length)]
        given = {"main_params": main, "extra_params": extra, "state": state, "sequence": sequence}
        params = ref.flat(main) + ref.flat(extra)

        def objective(p):
            return ref.lstm(p, layers, bits, state, sequence)
        tool.evaluate("lstm", "objective", given, real(objective, params))
        tool.evaluate("lstm", "jacobian", given, ref.gradient(objective, params))
    tool.define("gmm")
    for d, k, n, m, gamma in ((1, 2, 3, 0, 1.0), (3, 2, 5, 0, 1.0), (4, 3, 7, 2, 0.7)):
        t = d * (d - 1) // 2
        alpha, mu, q, l = uniform(k, -1), matrix(k, d), matrix(k, d, -1), matrix(k, t, -1)
        x = matrix(n, d)
        given = {"d": d, "k": k, "n": n, "m": m, "gamma": gamma, "alpha": alpha, "mu": mu, "q": q,
                 "l": l, "x": x}
        params = alpha + ref.flat(mu) + ref.flat(q) + ref.flat(l)

        def objective(p):
            return ref.gmm(p, d, k, x, gamma, m)
        g = ref.gradient(objective, params)
        tool.evaluate("gmm", "objective", given, real(objective, params))
        tool.evaluate("gmm", "jacobian", given,
                      {"alpha": g[:k], "mu": ref.rows(g[k:k + k * d], d),
                       "q": ref.rows(g[k + k * d:k + 2 * k * d], d),
                       "l": ref.rows(g[k + 2 * k * d:], t) or [[]] * k})
    tool.define("kmeans")
    for n, k, d in ((5, 1, 1), (40, 3, 2), (100, 7, 5)):
        points = matrix(n, d)
        given = {"points": points, "centroids": points[-k:]}
        tool.evaluate("kmeans", "cost", given, ref.kmeans_cost(points, points[-k:]))
        tool.evaluate("kmeans", "dir", given, ref.kmeans_direction(points, points[-k:]))


def run_ba(tool):
    tool.define("ba")
    cam = [-0.7, -1.1, -0.8, 3.4, 3.9, 53.8, 419.1, 5.8, -8.5, 0.08, 0.002]
    for n, m, p, turn in ((2, 3, 7, True), (1, 1, 1, True), (3, 2, 6, False)):
        c = cam if turn else [0.0] * 3 + cam[3:]
        x, w, feat = [7.2, 0.1, 3.0], 0.417, [271.7, 834.2]
        given = {"n": n, "m": m, "p": p, "cam": c, "x": x, "w": w, "feat": feat}
        params = c + x + [w]
        error = [complex(e).real for e in ref.ba_error(params, feat)]
        tool.evaluate("ba", "objective", given,
                      {"reproj_error": {"elements": error, "repeated": p},
                       "w_err": {"element": 1 - w * w, "repeated": p}})
        j = ref.jacobian(lambda v: ref.ba_error(v, feat), params)
        if not turn:
            # At no rotation at all, the derivative is that of the formula for it.
            j = [[j[r][i] if i >= 3 else linear(c, x, w, feat, i)[r] for i in range(15)]
                 for r in range(2)]
        rows, cols, vals = [0], [], []
        for i in range(p):
            for r in range(2):
                cols += [11 * (i % n) + k for k in range(11)]
                cols += [11 * n + 3 * (i % m) + k for k in range(3)] + [11 * n + 3 * m + i]
                vals += j[r]
                rows.append(len(vals))
        for i in range(p):
            cols.append(11 * n + 3 * m + i)
            vals.append(-2 * w)
            rows.append(len(vals))
        tool.evaluate("ba", "jacobian", given, {"rows": rows[:30] + rows[-1:] if len(rows) > 30 else
                                                rows + rows[-1:], "cols": cols[:30] + cols[-1:],
                                                "vals": vals[:30] + vals[-1:]})


def linear(cam, x, w, feat, i):
    """The derivative by angle i where there is no rotation: p + r x p, by the complex step."""
    r = [0j, 0j, 0j]
    r[i] = complex(0, ref.STEP)
    v = [a - b for a, b in zip(x, cam[3:6])]
    v = [v[0] + r[1] * v[2] - r[2] * v[1], v[1] + r[2] * v[0] - r[0] * v[2],
         v[2] + r[0] * v[1] - r[1] * v[0]]
    straight = [0.0] * 3 + [0.0] * 3 + cam[6:]
    return [e.imag / ref.STEP for e in ref.ba_error(straight + v + [w], feat)]


def make_hand(bones, vertices, triangles, points, complicated, mirrored):
    def transform():
        t = ref.bend(uniform(3, -1, 1))
        t = [[complex(a).real for a in row] for row in t]
        for row in t[:3]:
            row[3] = random.uniform(-1, 1)
        return t
    model = {"bone_count": bones, "bone_names": [f"bone{i}" for i in range(bones)],
             "parents": [-1] + [0 if i % 4 == 1 else i - 1 for i in range(1, bones)],
             "base_relatives": [transform() for _ in range(bones)],
             "inverse_base_absolutes": [transform() for _ in range(bones)],
             "base_positions": [uniform(3, -1, 1) + [1.0] for _ in range(vertices)],
             "weights": [[random.random() * (random.random() < 0.3) for _ in range(bones)]
                         for _ in range(vertices)],
             "triangles": [[random.randrange(vertices) for _ in range(3)] for _ in range(triangles)],
             "is_mirrored": mirrored}
    most = triangles if complicated else vertices
    data = {"correspondences": [random.randrange(most) for _ in range(points)],
            "points": matrix(points, 3, -1), "model": model}
    return {"theta": uniform(26, -1, 1), "us": matrix(points, 2, 0, 0.5) if complicated else [],
            "data": data}


def run_hand(tool):
    tool.define("ht")
    for complicated, mirrored in ((True, False), (False, False), (True, True)):
        given = make_hand(22, 6, 5, 4, complicated, mirrored)
        value = (given["theta"], given["us"], given["data"])
        tool.evaluate("ht", "objective", given, [complex(e).real for e in ref.hand(*value)])
        tool.evaluate("ht", "jacobian", given, ref.hand_jacobian(*value))


def run_nested(tool):
    tool.define("particle")
    tool.define("saddle")
    for modes in ("ff", "fr", "rf", "rr"):
        tool.evaluate("particle", modes, {"w": 0.0}, 0.2071918746486116)
        tool.evaluate("saddle", modes, {"start": [1, 1]}, [8.246324826140356e-06] * 4)


# Inputs that must be refused, each by a word of the message.
BAD_INPUTS = [
    ("hello", "square", "one", "not a number"),
    ("hello", "square", {"x": 1}, "not a number"),
    ("hello", "cube", 1.0, "no such function"),
    ("gone", "primal", {}, "no such module"),
    ("lse", "primal", {}, "no field 'x'"),
    ("lse", "primal", [1.0], "not an object"),
    ("lse", "primal", {"x": 1.0}, "rank 1"),
    ("lse", "primal", {"x": [[1.0]]}, "not a number"),
    ("lse", "gradient", {"x": [1.0, None]}, "not a number"),
    ("lse", "primal", {"x": [1.0], "min_runs": "many"}, "min_runs"),
    ("lse", "primal", {"x": []}, "not finite"),
    ("llsq", "primal", {"x": [1.0], "n": 1.5}, "not an integer"),
    ("llsq", "gradient", {"x": [1.0], "n": -5}, ""),
    ("llsq", "primal", {"x": [1.0], "n": 1}, "not finite"),
    ("ode", "gradient", {"x": [], "s": 1}, "empty"),
    ("det", "primal", {"A": [1, 2, 3], "ell": 2}, "elements"),
    ("det", "primal", {"A": [1], "ell": 100000}, "ell"),
    ("kmeans", "dir", {"points": [[1, 2], [3]], "centroids": [[1, 2]]}, "regular"),
    ("kmeans", "dir", {"points": [[1, 2]], "centroids": [[1, 2, 3]]}, "elements"),
    ("gmm", "objective", {"d": 1, "k": 1, "n": 1, "m": 0, "gamma": 1.0, "alpha": [1, 2]}, "alpha"),
    ("lstm", "objective", {"extra_params": [[1], [1]]}, "extra_params"),
    ("ba", "objective", {"n": 0, "m": 1, "p": 1}, "sizes"),
    ("ba", "jacobian", {"n": 1, "m": 1, "p": 10 ** 18}, "sizes"),
    ("ht", "objective", {"theta": [0] * 26, "us": [], "data": {}}, "model"),
    ("particle", "ff", {"w": [0]}, "not a number"),
    ("saddle", "rr", {"start": [1, 2, 3]}, "elements"),
]

BAD_LINES = ["", "nonsense", "{", "[]", "3", "null", '{"id": 1', '{"id": 1}', '{"kind": "define"}',
             '{"id": "x", "kind": "start"}', '{"id": 1, "kind": 7}', '{"id": 1, "kind": "define"}',
             '{"id": 1, "kind": "define", "module": "../x"}', '{"id": 1, "kind": "define", "module": 1}',
             '{"id": 1, "kind": "evaluate"}', '{"id": 1, "kind": "evaluate", "module": "lse"}',
             '{"id": 1, "kind": "evaluate", "module": "lse", "function": "primal"}',
             '{"id": 1, "kind": "evaluate", "module": "lse", "function": [], "input": {}}',
             '{"id": 1e400, "kind": "start"}', '{"id": 1, "kind": "start"} trailing',
             '{"id": 1, "kind": "evaluate", "module": "lse", "function": "primal", "input": {"x": [NaN]}}',
             "[" * 100000, b"\xff\xfe{}", b'{"id": 1, \x00"kind": "start"}']


def run_bad(tool):
    for module, function, value, word in BAD_INPUTS:
        answer = tool.send("evaluate", module=module, function=function, input=value)
        outcome(answer.get("success") is False and word in answer.get("error", "") and
                "output" not in answer, f"bad input of {module} {function}: {answer}")
    hand = make_hand(22, 6, 5, 4, True, False)
    hand["data"]["correspondences"][2] = 77
    answer = tool.send("evaluate", module="ht", function="jacobian", input=hand)
    outcome(answer.get("success") is False, f"index out of bounds: {answer}"[:200])
    for line in BAD_LINES:
        answer = tool.line(line)
        outcome(answer.get("success") is False and "error" in answer, f"{line[:60]!r}: {answer}")
    # And it still works.
    tool.evaluate("lse", "primal", {"x": [0.0]}, 0.0)


def main():
    random.seed(31337)
    tool = Tool(sys.argv[1:])
    answer = tool.send("start", eval="all", config={"x": 1})
    outcome(answer.get("tool") == "raido", f"start: {answer}")
    answer = tool.send("something")
    outcome("success" not in answer, f"an unknown kind: {answer}")
    answer = tool.send("evaluate", module="lse", function="primal", input={"x": [1.0]})
    outcome(answer.get("success") is False, f"not defined: {answer}")
    for run in (run_small, run_models, run_ba, run_hand, run_nested, run_bad):
        run(tool)
    tool.close()
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
