-- Shortest paths from one vertex (Bellman and Ford): minima by vertex over all edges, a fixed number of
-- rounds; ties have no place in the data.
entry primal [e][n] (from: [e]i64) (to: [e]i64) (length: [e]f64) (goal: [n]f64) (rounds: i64) : f64 =
  let far = 1000
  let start = tabulate n (\i -> if i == 0 then 0 else far)
  let d =
    loop d = start for _i < rounds do
      hist f64.min far n to (map2 (\f l -> d[f] + l) from length) |> map2 f64.min d
  in f64.sum (map2 (\d g -> f64.sqrt (1 + (d - g) ** 2)) d goal) / f64.i64 n

entry gradient [e][n]
               (from: [e]i64) (to: [e]i64) (length: [e]f64) (goal: [n]f64) (rounds: i64) : [e]f64 =
  vjp (\l -> primal from to l goal rounds) length 1
