-- let without in, sizes, operators, types and updates in a row.
-- ==
-- input { [1, 2, 3] } output { 3i64 7 [1, 9, 3] 12 5 }
entry main (xs: []i32) =
  let [n] (ys: [n]i32) = xs
  let (+^) = \a b -> a * 2 + b : i32
  let f 't (x: t) : (t, t) = (x, x)
  let (p, _) = f (2 +^ 3)
  let (q, _) = f [p]
  let zs = copy ys
  let zs[1] = 9
  let r = {a = {b = 1i32}, c = 2i32}
  let r.a.b = 10
  in (n, q[0], zs, r.a.b + r.c, let (a: i32, b) = (2, 3) in a + b)
