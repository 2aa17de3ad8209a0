-- Conversions to bool: anything but zero is true.
-- ==
-- input { [0i32, 5i32] [0u8, 1u8] [0.0, f64.nan, -0.0] [true, false] }
-- output { [false, true] [false, true] [false, true, false] [true, false] }
entry main (a: []i32) (b: []u8) (c: []f64) (d: []bool) = (map bool.i32 a, map bool.u8 b, map bool.f64 c, map bool.bool d)
