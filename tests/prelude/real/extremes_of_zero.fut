-- Signed zeros.
-- ==
-- input { } output { [0u64, 9223372036854775808u64, 9223372036854775808u64] }
entry main = map f64.to_bits [f64.max 0 (-0.0), f64.min 0 (-0.0), f64.neg 0]
