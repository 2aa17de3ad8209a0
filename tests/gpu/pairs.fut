-- Sine and cosine of the same number, and quotients by the same number, are computed together.
-- ==
-- entry: turns
-- input { [0f64, 1f64, 2f64] 3i64 }
-- output { [0f64, -0.246377121145f64, -0.189805389340f64] }
entry turns [n] (xs: [n]f64) (k: i64) : [n]f64 =
  map (\x -> loop s = 0 for i < k do
         let a = x * f64.i64 (i + 1)
         in s + f64.sin a * f64.cos a + f64.sin (a * 2) * (1 - f64.cos (a * 2)) * 0.25 - 0.1 * f64.sin a)
      xs

-- ==
-- entry: turns_f32
-- input { [0f32, 1f32, 2f32] } output { [0f32, 0.4546487f32, -0.3784012f32] }
entry turns_f32 [n] (xs: [n]f32) : [n]f32 =
  map (\x -> loop s = 0 for i < 1 + i64.bool (x > 1e9) do
         let a = x * f32.i64 (i + 1)
         in s + f32.sin a * f32.cos a) xs

-- Where numbers are too large or too small for the quick way, the quotient is that of a division too.
-- ==
-- entry: quotients
-- input { [1f64, 3f64, 1e-310, 1e308, 0f64, f64.inf] [3f64, 7f64, 1e-5, 1e-10, 2f64, 2f64] }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
entry quotients [n] (xs: [n]f64) (ys: [n]f64) : [n]i64 =
  map2 (\x y -> loop wrong = 0 for i < 1 + i64.bool (y > 1e9) do
          let z = y + f64.i64 i
          let (a, b) = (x / z, (x + 1) / z)
          let same p q = f64.to_bits p == f64.to_bits q
          in wrong + i64.bool (!(same a (x / (y + f64.i64 (2 * i)))) || !(same b ((x + 1) / (y + f64.i64 (3 * i))))))
       xs ys
