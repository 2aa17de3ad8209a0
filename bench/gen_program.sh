#!/bin/sh
# Writes a program of about LINES lines to standard output: functions, records, sums, loops,
# modules, in the proportions of ordinary numerical code.  Every definition is distinct.
#   gen_program.sh LINES
awk -v lines="${1:?usage: gen_program.sh LINES}" '
function put(s) { print s; n++ }
BEGIN {
	for (k = 0; n < lines; k++) {
		put("type point_" k " = {x: f64, y: f64, tag: i32}")
		put("")
		put("def norm_" k " (p: point_" k ") : f64 =")
		put("  f64.sqrt (p.x * p.x + p.y * p.y)")
		put("")
		put("def centre_" k " [n] (ps: [n]point_" k ") : point_" k " =")
		put("  let total = f64.i64 n")
		put("  let x = f64.sum (map (.x) ps) / total")
		put("  let y = f64.sum (map (.y) ps) / total")
		put("  in {x, y, tag = " k "}")
		put("")
		put("def steps_" k " [n] (xs: *[n]f64) (k: i32) : [n]f64 =")
		put("  loop xs for i < k do")
		put("    let j = i64.i32 i % n")
		put("    let v = xs[j] * 0.5 + " k)
		put("    in xs with [j] = v")
		put("")
		put("def shape_" k " (s: #circle f64 | #rect f64 f64) : f64 =")
		put("  match s")
		put("  case #circle r -> f64.pi * r * r")
		put("  case #rect w h -> w * h")
		put("")
		put("module stats_" k " (m: { val scale : f64 }) = {")
		put("  def mean [n] (xs: [n]f64) : f64 = m.scale * f64.sum xs / f64.i64 n")
		put("  def spread [n] (xs: [n]f64) =")
		put("    let c = mean xs")
		put("    in map (\\x -> (x - c) ** 2) xs |> f64.sum")
		put("}")
		put("module s_" k " = stats_" k " { def scale = " k ".5f64 }")
		put("")
		put("def use_" k " [n] (xs: [n]f64) (flags: [n]bool) =")
		put("  let kept = zip xs flags |> filter (.1) |> map (.0)")
		put("  let (lo, hi) = (f64.minimum kept, f64.maximum kept)")
		put("  let inner a b = if a < lo then b else if a > hi then 0 else a + b * " k)
		put("  in (reduce (+) 0 (map2 inner xs (rotate 1 xs)), s_" k ".spread kept, length kept)")
		put("")
		put("def gradient_" k " [n] (xs: [n]f64) : [n]f64 =")
		put("  vjp (\\ys -> f64.sum (map (\\y -> y * y + norm_" k " {x = y, y = 1, tag = 0}) ys)) xs 1")
		put("")
	}
}'
