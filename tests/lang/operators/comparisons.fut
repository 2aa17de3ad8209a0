-- Comparing numbers and truth values.
-- ==
-- input { } output { false true false true true }
entry main = (true < false, 0.0 == -0.0f64, f64.nan == f64.nan, f64.nan != f64.nan, 3u8 >= 3)
