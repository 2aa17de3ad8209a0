"""The report: tables of text, and one HTML file with plots drawn as SVG, which needs nothing else.

Results are a dictionary: "machine" (what, date, commit ...), "skipped" {name: why}, "programs"
{name: {"title", "rows": [{"row", "size", "bar", "times": {who: [primal, derivative]},
"absent": {who: [primal, derivative]}, "wrong": [who]}], "counts"?}}, "peers": who there is besides `c`
and `C`.  Times are seconds or null; what is absent has a word instead: "no AD", "too long" or the like.
"""
import html
import math

COLOURS = {"c": "#1f6feb", "C": "#8b949e", "multicore": "#2da44e", "opencl": "#bf3989", "cuda": "#8250df",
           "futhark": "#9a6700", "numpy": "#57606a", "jax": "#cf222e", "torch": "#e16f24"}
NAMES = {"c": "Raido", "C": "C by hand", "multicore": "Raido, threads", "opencl": "Raido, OpenCL",
         "cuda": "Raido, CUDA", "futhark": "Futhark", "numpy": "NumPy", "jax": "JAX", "torch": "PyTorch"}


def time_text(t):
    if t is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if t >= scale:
            return f"{t / scale:.3g} {unit}"
    return f"{t * 1e9:.3g} ns"


def ratio(a, b):
    return a / b if a is not None and b else None


def ratio_text(r):
    return "-" if r is None else f"{r:.2f}"


def columns(results):
    """Those besides Raido's sequential code: C by hand first."""
    return ["C"] + [p for p in results["peers"] if p not in ("c", "C")]


def shown(program, results):
    """Of those, who has a time in some row of a program, or a word."""
    return [w for w in columns(results)
            if any(w in r["times"] or w in r.get("absent", {}) for r in program["rows"])]


def cells(row, others):
    t = row["times"]
    own = t.get("c", [None, None])
    out = [time_text(own[0]), time_text(own[1]), ratio_text(ratio(own[1], own[0]))]
    for who in others:
        p, d = t.get(who, [None, None])
        why = row.get("absent", {}).get(who, [None, None])
        out += [why[0] or time_text(p), why[1] or time_text(d), ratio_text(ratio(own[0], p)), ratio_text(ratio(own[1], d))]
    return out


def header(others):
    out = ["primal", "gradient", "ratio"]
    for who in others:
        out += [NAMES[who] + " p", "g", "p/", "g/"]
    return out


def text_table(name, program, results):
    others = shown(program, results)
    lines = [["row"] + header(others)]
    for row in program["rows"]:
        mark = "  WRONG: " + ", ".join(row["wrong"]) if row["wrong"] else ""
        lines.append([row["row"]] + cells(row, others) + ([mark] if mark else []))
    widths = [max(len(l[i]) for l in lines if i < len(l)) for i in range(max(map(len, lines)))]
    out = [f"{name}: {program['title']}"]
    for l in lines:
        out.append("  " + "  ".join(c.ljust(w) if i == 0 else c.rjust(w)
                                    for i, (c, w) in enumerate(zip(l, widths))))
    return "\n".join(out) + "\n"


def count_lines(results):
    """Instructions of derivatives, ours over those by hand."""
    out = []
    for name, program in results["programs"].items():
        c = program.get("counts")
        if c:
            p, d, hp, hd = c["counts"]
            out.append((c["row"], p, d, hp, hd))
    return out


def counts_table(results):
    lines = [f"  {'row':24} {'primal':>14} {'gradient':>14} {'C primal':>14} {'C gradient':>14} {'p/C':>6} {'g/C':>6}"]
    for row, *n in count_lines(results):
        lines.append(f"  {row:24} " + " ".join(f"{x:14,}" if x else f"{'-':>14}" for x in n) +
                     f" {ratio_text(ratio(n[0], n[2])):>6} {ratio_text(ratio(n[1], n[3])):>6}")
    return "Instructions (callgrind, one core)\n" + "\n".join(lines) + "\n"


# ---- Plots ----

def log_ticks(low, high):
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, (last - first) // 6)
    return [10.0 ** k for k in range(first, last + 1, step)], 10.0 ** first, 10.0 ** max(last, first + 1)


def size_text(x):
    return f"1e{round(math.log10(x))}"


def loglog(program, results):
    """Run time against size: gradients as full lines, primals as dashed ones."""
    series = {}
    for row in program["rows"]:
        for who, times in row["times"].items():
            for k in range(2):
                if times[k]:
                    series.setdefault((who, k), []).append((row["size"], times[k]))
    series = {k: sorted(v) for k, v in series.items() if len({x for x, _ in v}) > 1}
    if not series:
        return ""
    xs = [x for v in series.values() for x, _ in v]
    ys = [y for v in series.values() for _, y in v]
    xticks, x0, x1 = log_ticks(min(xs), max(xs))
    yticks, y0, y1 = log_ticks(min(ys), max(ys))
    w, h, left, top, bottom = 520, 300, 60, 10, 40

    def px(x):
        return left + (w - left - 10) * (math.log10(x) - math.log10(x0)) / (math.log10(x1) - math.log10(x0))

    def py(y):
        return h - bottom - (h - bottom - top) * (math.log10(y) - math.log10(y0)) / (math.log10(y1) - math.log10(y0))
    out = [f'<svg viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">']
    for x in xticks:
        out.append(f'<line class="grid" x1="{px(x):.1f}" y1="{top}" x2="{px(x):.1f}" y2="{h - bottom}"/>'
                   f'<text x="{px(x):.1f}" y="{h - bottom + 15}" text-anchor="middle">{size_text(x)}</text>')
    for y in yticks:
        out.append(f'<line class="grid" x1="{left}" y1="{py(y):.1f}" x2="{w - 10}" y2="{py(y):.1f}"/>'
                   f'<text x="{left - 5}" y="{py(y) + 4:.1f}" text-anchor="end">{time_text(y)}</text>')
    for (who, k), points in series.items():
        dash = "" if k else ' stroke-dasharray="4 3"'
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in points)
        out.append(f'<polyline fill="none" stroke="{COLOURS[who]}" stroke-width="1.8"{dash} points="{path}"/>')
        for x, y in points:
            out.append(f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="2.5" fill="{COLOURS[who]}">'
                       f"<title>{NAMES[who]}, {'gradient' if k else 'primal'}: {time_text(y)}</title></circle>")
    out.append(f'<text x="{(w + left) / 2}" y="{h - 5}" text-anchor="middle">size</text></svg>')
    legend = " ".join(f'<span class="key"><i style="background:{COLOURS[w]}"></i>{NAMES[w]}</span>'
                      for w in dict.fromkeys(w for w, _ in series))
    return "".join(out) + f'<p class="legend">{legend} <span class="key">dashed: primal</span></p>'


def bars(items, label):
    """Horizontal bars of ratios on a logarithmic scale; the line is at one."""
    items = [(name, r) for name, r in items if r]
    if not items:
        return ""
    low = min(0.25, min(r for _, r in items) / 1.2)
    high = max(4.0, max(r for _, r in items) * 1.2)
    w, row, left = 640, 20, 190

    def px(r):
        return left + (w - left - 60) * (math.log(r) - math.log(low)) / (math.log(high) - math.log(low))
    h = row * len(items) + 30
    out = [f'<svg viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">']
    for i, (name, r) in enumerate(items):
        y = i * row + 4
        a, b = sorted((px(1), px(r)))
        colour = "#2da44e" if r <= 1 else "#cf222e"
        out.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{html.escape(name)}</text>'
                   f'<rect x="{a:.1f}" y="{y}" width="{max(1, b - a):.1f}" height="{row - 6}" fill="{colour}"/>'
                   f'<text x="{b + 4:.1f}" y="{y + 12}">{r:.2f}</text>')
    out.append(f'<line class="one" x1="{px(1):.1f}" y1="0" x2="{px(1):.1f}" y2="{h - 24}"/>'
               f'<text x="{px(1):.1f}" y="{h - 8}" text-anchor="middle">{html.escape(label)}</text></svg>')
    return "".join(out)


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em;
       color: #1f2328; background: #fff; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 8px; text-align: right; border-bottom: 1px solid #d0d7de; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.scroll { overflow-x: auto; }
.worse { color: #cf222e; } .better { color: #1a7f37; } .wrong { background: #ffebe9; }
svg text { font: 11px system-ui, sans-serif; fill: currentColor; }
.grid { stroke: #d0d7de; stroke-width: 0.6; } .one { stroke: currentColor; stroke-width: 1; }
.legend { font-size: 12px; } .key { margin-right: 1em; }
.key i { display: inline-block; width: 12px; height: 12px; margin-right: 4px; vertical-align: -1px; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; }
  th, td { border-color: #30363d; } .grid { stroke: #30363d; } .wrong { background: #490202; } }
"""


def html_table(program, results):
    others = shown(program, results)
    out = ['<div class="scroll"><table><tr><th rowspan="2">row</th><th colspan="3">Raido</th>']
    out += [f'<th colspan="4">{NAMES[w]}</th>' for w in others]
    out.append("</tr><tr><th>primal</th><th>gradient</th><th>ratio</th>")
    out += ["<th>primal</th><th>gradient</th><th>p/</th><th>g/</th>"] * len(others)
    out.append("</tr>")
    for row in program["rows"]:
        out.append(f'<tr{" class=wrong" if row["wrong"] else ""}><td>{html.escape(row["row"])}</td>')
        for i, c in enumerate(cells(row, others)):
            judged = i >= 3 and (i - 3) % 4 >= 2 and c != "-"
            kind = "" if not judged else ' class="worse"' if float(c) > 1.005 else ' class="better"'
            out.append(f"<td{kind}>{c}</td>")
        out.append("</tr>")
    return "".join(out) + "</table></div>"


def largest(program):
    """The row with the most work that has a derivative by hand."""
    rows = [r for r in program["rows"] if r["times"].get("C", [None, None])[1] and r["times"].get("c")]
    return max(rows, key=lambda r: r["times"]["c"][1] or 0) if rows else None


def gradient_ratios(results):
    out = []
    for program in results["programs"].values():
        row = largest(program)
        if row:
            out.append((row["row"], ratio(row["times"]["c"][1], row["times"]["C"][1])))
    return out


def html_report(results):
    m = results["machine"]
    out = ["<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
           f"<title>Raido: benchmarks</title><style>{STYLE}</style>",
           "<h1>Derivatives: Raido beside its peers</h1><ul>"]
    out += [f"<li>{html.escape(k)}: {html.escape(str(v))}</li>" for k, v in m.items()]
    out += [f"<li>not here: {html.escape(k)} ({html.escape(v)})</li>" for k, v in results["skipped"].items()]
    out.append("</ul><p>Least time of several runs in turn; sequential code by time on the processor, the "
               "others by the clock. <b>p/</b> and <b>g/</b> are Raido's sequential primal and gradient "
               "over the peer's: under 1, Raido is faster. All results agree with the derivatives by hand, "
               "but where a row is marked.</p>")
    out.append("<h2>Gradients against C by hand (largest rows)</h2>" +
               bars(gradient_ratios(results), "time of Raido / time of C"))
    counted = [(row, ratio(d, hd)) for row, p, d, hp, hd in count_lines(results)]
    if counted:
        out.append("<h2>The same by instructions (callgrind, small rows)</h2>" +
                   bars(counted, "instructions of Raido / of C"))
    for name, program in results["programs"].items():
        out.append(f"<h2>{name}</h2><p>{html.escape(program['title'])}</p>")
        out += [f"<p class=worse>{html.escape(w)}: {html.escape(why)}</p>"
                for w, why in program["problems"].items()]
        out.append(html_table(program, results) + loglog(program, results))
    return "".join(out) + "</html>\n"
