-- Constants of each float type.
-- ==
-- entry: f64s
-- input { } output { [3.141592653589793, 2.718281828459045, f64.inf, -f64.inf, 2.220446049250313e-16] }
entry f64s = [f64.pi, f64.e, f64.highest, f64.lowest, f64.epsilon]

-- ==
-- entry: exact
-- input { } output { true true true }
entry exact = (f64.pi == 3.141592653589793, f64.e == 2.718281828459045, f64.epsilon == 2.220446049250313e-16)

-- ==
-- entry: f32s
-- input { } output { true true true true }
entry f32s = (f32.to_bits f32.pi == 0x40490fdb, f32.to_bits f32.epsilon == 0x34000000, f32.isnan f32.nan, f32.inf == f32.highest)

-- ==
-- entry: f16s
-- input { } output { true true 16i32 }
entry f16s = (f16.to_bits f16.pi == 0x4248, f16.isinf (f16.neg f16.inf), f16.num_bits)
