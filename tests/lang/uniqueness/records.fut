-- Fields of records are consumed one by one.
-- ==
-- input { [1, 2] [3, 4] } output { [3, 2] [1, 4] [9, 2] 7 }
entry main [n] (xs: [n]i32) (ys: [n]i32) =
  let r = {a = copy xs, b = copy ys}
  let a = r.a with [0] = r.b[0]
  let b = r.b with [0] = xs[0]
  let s = {a = copy xs, k = 1} with a[0] = 9 with k = 7
  in (a, b, s.a, s.k)
