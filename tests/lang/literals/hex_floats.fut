-- Hexadecimal floats: underscores anywhere among the digits and after "p" and its sign, any case of
-- letters, all three types.
-- ==
-- entry: main
-- input {} output { 1f64 0.5f64 256f64 -0.25f64 43.8125f64 65536f64 }

-- ==
-- entry: types
-- input {} output { 1.5f16 -3f32 0x1.8p+1f64 1e-3f64 }

-- ==
-- entry: extremes
-- input {} output { true true true true }

-- ==
-- entry: patterns
-- input { 4f64 } output { 1 }
-- input { -0.5f64 } output { 2 }
-- input { 0.5f64 } output { 3 }

entry main : (f64, f64, f64, f64, f64, f64) =
  (0x1.0p0, 0x1.0p-_1, 0X0_1.0_0P+_8, -0x1.0p-2_, 0x2b.d0p0, 0x1.0p1___6)

entry types = (0x1.8p0f16, -0x1.8p+1f32, 0x1.8p0_1f64, 1_0e-4f64)

entry extremes =
  ( 0x1.fffffffffffffp1_023 == 1.7976931348623157e308, 0x0.0000000000001p-10_22 > 0
  , 0x1.fffffep127f32 == 3.4028235e38f32, 0x1.0p-0_149f32 > 0 )

entry patterns (x: f64) : i32 =
  match x
  case 0x1.0p0_2 -> 1
  case -0x1.0p-_1 -> 2
  case _ -> 3
