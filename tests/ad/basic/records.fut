-- Records in and out.
-- ==
-- input { 2.0 3.0 } output { 3.0 2.0 3.0 12.0 }
entry main (x: f64) (y: f64) =
  let f {a, b} = {p = a * b, q = a + b * b}
  let {a = a1, b = b1} = vjp f {a = x, b = y} {p = 1, q = 0}
  let t = jvp f {a = x, b = y} {a = 1, b = 2}
  in (a1, b1, t.p - 4, t.q - 1)
