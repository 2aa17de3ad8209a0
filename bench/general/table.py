"""The table of `run`: times of a program beside its best peer, their ratio, and the gradient over the primal."""
import math

WHATS = ("primal", "gradient")


def best(r, what):
    """The peer that takes the least, and its time."""
    times = [(t[what], who) for who, t in r["peers"].items() if what in t]
    return min(times) if times else (None, None)


def number(x, width=9):
    return f"{'-':>{width}}" if x is None else f"{x:{width}.3f}" if x < 1000 else f"{x:{width}.0f}"


def ratios(r):
    """[primal over the best peer's, gradient likewise, gradient over primal], None where there is none.

    A Hessian's time is that of one of its rows in the last.
    """
    own = r["own"]
    out = [own[w] / best(r, w)[0] if w in own and best(r, w)[0] else None for w in WHATS]
    cost = own["gradient"] / own["primal"] if "gradient" in own and own["primal"] else None
    return out + [cost / r.get("directions", 1) if cost else None]


def header():
    return f"{'program':<28} {'family':<18}" + "".join(
        f" | {w + ' ms':>11} {'best peer':>9} {'':<13} {'ratio':>6}" for w in WHATS) + " | gradient/primal"


def line(r):
    p, g, cost = ratios(r)
    out = f"{r['program']:<28} {r['family']:<18}"
    for w, q in zip(WHATS, (p, g)):
        t, who = best(r, w)
        out += f" | {number(r['own'].get(w), 11)} {number(t)} {who or '':<13} {number(q, 6) if q is None else f'{q:6.2f}'}"
    out += f" | {'-' if cost is None else f'{cost:.2f}'}"
    if not r["own"] and r.get("checks"):
        out = f"{r['program']:<28} {r['family']:<18} | largest differences:" + "".join(
            f" {who} {max(d for _, w, _, d in r['checks'] if w == who):.1e}" for who in ("f64", "own type"))
    for problem in r["wrong"]:
        out += f"\n    WRONG: {problem}"
    for problem in r["far"]:
        out += f"\n    FAR: {problem}"
    for who, t in r["peers"].items():
        if "error" in t:
            out += f"\n    {who}: {t['error'][:160]}"
    return out


def mean(xs):
    xs = [x for x in xs if x]
    return math.exp(sum(map(math.log, xs)) / len(xs)) if xs else None


def row(title, results):
    columns = list(zip(*map(ratios, results))) or [(), (), ()]
    means = [mean(c) for c in columns]
    slower = [sum(1 for x in c if x and x > 1) for c in columns[:2]]
    text = [f"{'-' if m is None else f'{m:.2f}':>6}" for m in means]
    return (f"{title:<28} primal {text[0]} (slower in {slower[0]} of {sum(1 for x in columns[0] if x)})   gradient "
            f"{text[1]} (slower in {slower[1]} of {sum(1 for x in columns[1] if x)})   gradient/primal {text[2]}")


def summary(results):
    wrong = [r["program"] for r in results if r["wrong"]]
    wrong = ["wrong: " + ", ".join(wrong)] if wrong else []
    if not any(r["own"] for r in results):
        return "\n".join(wrong)
    lines = ["", "Geometric means of ratios to the best peer (below 1: faster than it)"]
    lines.append(row("all", results))
    lines.append(row("tuned for", [r for r in results if not r["untuned"]]))
    lines.append(row("untuned", [r for r in results if r["untuned"]]))
    for family in dict.fromkeys(r["family"] for r in results):
        lines.append(row("  " + family, [r for r in results if r["family"] == family]))
    return "\n".join(lines + wrong)
