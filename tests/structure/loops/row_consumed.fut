-- A loop over rows is a map, also where a loop inside of it updates the row that another has made.
-- structure inline_calls,simplify,map_loops: loop 1, screma 2
-- ==
-- input { [[0.5, 0.25], [2.0, 4.0]] }
-- output { [[4.0, 2.0], [1.25, 1.5]] }
entry main [k] (x: [k][k]f64) : [k][k]f64 =
  loop u = copy x for j < k do
    let u = loop u for i < k do u with [j, i] = x[k - 1 - j, i]
    in loop u for i < k do u with [j, k - 1 - i] = x[k - 1 - j, i] + f64.i64 j
