-- Loops that only add up are reductions: several sums at once, in a map inside of a loop; not in other
-- maps, not where what is added depends on the sum, and not with an attribute.
-- structure inline_calls,simplify,map_loops: screma.reduce 2, loop 4
-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] 2i64 }
-- output { 14f64 46f64 [42f64, 78f64, 114f64] [6f64, 12f64, 18f64] 11f64 6f64 }
entry main [n] (x: [n]f64) (steps: i64) : (f64, f64, [n]f64, [n]f64, f64, f64) =
  let (a, b) = loop (s, t) = (0, 10) for i < n do (s + x[i] * x[i], t + x[i] * 6)
  let rows =
    loop y = copy x
    for k < steps do
      map (\r -> loop s = 1 - f64.i64 k for i < n do s + r * x[i] + f64.i64 k - f64.i64 k) y
  let alone = map (\r -> loop s = 0 for i < n do s + r * x[i]) x
  let horner = loop s = 0 for i < n do s + (s + x[i])
  let ordered = #[sequential] loop s = 0 for i < n do s + x[i]
  in (a, b, rows, alone, horner, ordered)
