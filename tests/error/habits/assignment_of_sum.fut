-- A variable is added to.
-- at 8
-- ==
-- error: "let s = s \+ xs\[0\] in

def f (xs: []f64) =
  let s = 0.0
  s += xs[0]
  in s
