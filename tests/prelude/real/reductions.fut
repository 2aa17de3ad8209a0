-- Sum, product, maximum and minimum.
-- ==
-- input { [1.5, 2.0, -4.0] } output { -0.5 -12.0 2.0 -4.0 }
-- input { empty([0]f64) } output { 0.0 1.0 -f64.inf f64.inf }
-- input { [f64.nan, 1.0] } output { f64.nan f64.nan 1.0 1.0 }
entry main (xs: []f64) = (f64.sum xs, f64.product xs, f64.maximum xs, f64.minimum xs)
