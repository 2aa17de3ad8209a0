-- Underscores in numbers: in the exponent of a hexadecimal float too, after the sign as well, but
-- not in that of a decimal one.
-- ==
-- input {} output { 12f64 33f64 0.01025390625f32 2f64 1000f64 }
entry main : (f64, f64, f32, f64, f64) = (0x1.8p0_3, 0x1_0.8p1f64, 0xA.8P-1_0f32, 0x1.0p+_1, 1e3)
