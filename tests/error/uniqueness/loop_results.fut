-- Two results of one loop may be one array.
-- at 12
-- ==
-- error: Using result of loop \(at .*\), but this was consumed

def f (n: i64) =
  let (p, q) =
    loop (p, q) = (iota n, iota n) for k < n do
      let t = map (+ k) q
      in (t, p)
  let p[0] = 1
  in (p, q)
