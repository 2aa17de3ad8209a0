-- Components are tracked one by one.
-- ==
-- input { 2i64 } output { [5i64, 1i64] [0i64, 7i64] }
entry main (n: i64) =
  let p = (iota n, iota n)
  let a = p.0 with [0] = 5
  let b = p.1 with [1] = 7
  in (a, b)
