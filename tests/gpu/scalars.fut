-- Scalars of every type as arguments of kernels.
-- ==
-- entry: ints
-- input { -3i8 -300i16 -70000i32 [1i64, 2i64] } output { [-70302i64, -70301i64] }

-- ==
-- entry: nats
-- input { 200u8 60000u16 4000000000u32 [1i64, 2i64] } output { [4000060201i64, 4000060202i64] }

-- ==
-- entry: floats
-- input { 1.5f16 -2.5f32 0.125f64 true [1f64, 2f64] } output { [0.125f64, 1.125f64] }
-- input { 1.5f16 -2.5f32 0.125f64 false [1f64, 2f64] } output { [-1f64, -2f64] }
entry ints (a: i8) (b: i16) (c: i32) (xs: []i64) : []i64 =
  map (\x -> x + i64.i8 a + i64.i16 b + i64.i32 c) xs

entry nats (a: u8) (b: u16) (c: u32) (xs: []i64) : []i64 =
  map (\x -> x + i64.u8 a + i64.u16 b + i64.u32 c) xs

entry floats (a: f16) (b: f32) (c: f64) (p: bool) (xs: []f64) : []f64 =
  map (\x -> if p then x + f64.f16 a + f64.f32 b + c else -x) xs
