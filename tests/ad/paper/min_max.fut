-- The first extremal element gets the derivative.
-- ==
-- input { [1.0, 3.0, 3.0, 2.0] } output { [0.0, 1.0, 0.0, 0.0] [1.0, 0.0, 0.0, 0.0] }
entry main (xs: []f64) = (vjp f64.maximum xs 1, vjp f64.minimum xs 1)

-- ==
-- entry: ties
-- input { 2.0 2.0 } output { 1.0 0.0 1.0 0.0 }
entry ties (a: f64) (b: f64) =
  let (x, y) = vjp (\(p, q) -> f64.max p q) (a, b) 1
  let (z, w) = vjp (\(p, q) -> f64.min p q) (a, b) 1
  in (x, y, z, w)
