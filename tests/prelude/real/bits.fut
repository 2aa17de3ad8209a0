-- The bit patterns of floats.
-- ==
-- entry: to
-- input { } output { 0x3ff0000000000000u64 0x80000000u32 0x3c00u16 }
entry to = (f64.to_bits 1, f32.to_bits (-0.0), f16.to_bits 1)

-- ==
-- entry: from
-- input { } output { 1.0f64 2.0f32 0.5f16 }
entry from = (f64.from_bits 0x3ff0000000000000, f32.from_bits 0x40000000, f16.from_bits 0x3800)

-- ==
-- entry: round_trip
-- input { [0.1, -3.5, 1.0e300] } output { [true, true, true] }
entry round_trip (xs: []f64) = map (\x -> f64.from_bits (f64.to_bits x) == x) xs
