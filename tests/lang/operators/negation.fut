-- Prefix operators.
-- ==
-- input { 3 true } output { -3 false -2 5 }
entry main (x: i32) (b: bool) = (-x, !b, 1 - x, 2 - -x)

-- ==
-- entry: zero
-- input { 0.0 } output { true }
entry zero (x: f64) = f64.to_bits (-x) == 0x8000000000000000
