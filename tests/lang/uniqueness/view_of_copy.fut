-- A view of a copy stays what it was when the original is consumed.
-- ==
-- input { [1.0, 2.0, 3.0] 1i64 } output { [2.0, 7.0, 4.0] [4.0, 3.0, 2.0] [3.0, 4.0] }
entry main [n] (a: [n]f64) (k: i64) =
  let v = map (+ 1) a
  let w = copy v
  let s = w[::-1]
  let t = (v ++ a)[1:n]
  let v2 = v with [k] = 7
  in (v2, map (\i -> s[i]) (iota n), map (\i -> t[i]) (iota (n - 1)))
