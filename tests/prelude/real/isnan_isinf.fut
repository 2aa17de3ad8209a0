-- Telling NaN and infinities.
-- ==
-- input { [1.0, f64.nan, f64.inf, -f64.inf] }
-- output { [false, true, false, false] [false, false, true, true] }
entry main (xs: []f64) = (map f64.isnan xs, map f64.isinf xs)
