-- Numbers of iterations and thresholds at the ends of their types: what is computed from them does
-- not wrap around (src/loop/peel.c, src/loop/split_range.c).
-- ==
-- entry: tri
-- input { 4i64 2i64 [1f64,2f64,3f64,4f64] } output { 5.0f64 }
-- input { 4i64 -1i64 [1f64,2f64,3f64,4f64] } output { -6.146264369941973f64 }
-- input { 4i64 9223372036854775807i64 [1f64,2f64,3f64,4f64] } output { 10.0f64 }
-- input { 4i64 -9223372036854775808i64 [1f64,2f64,3f64,4f64] } output { -6.146264369941973f64 }
-- input { 0i64 3i64 [1f64,2f64,3f64,4f64] } output { 0.0f64 }
-- input { -5i64 3i64 [1f64,2f64,3f64,4f64] } output { 0.0f64 }
-- input { -9223372036854775808i64 3i64 [1f64,2f64,3f64,4f64] } output { 0.0f64 }
-- input { 1i64 0i64 [7f64] } output { 7.0f64 }
-- input { 5i64 3i64 [1f64,2f64,3f64,4f64] } error: (out of bounds|Index)
-- input { 0i64 0i64 empty([0]f64) } output { 0.0f64 }
entry tri [n] (m: i64) (x: i64) (a: [n]f64) : f64 =
  loop s = 0 for i < m do if i <= x then s + a[i] else s - f64.sqrt a[n - 1 - i]

-- ==
-- entry: gt
-- input { 4i64 2i64 [1f64,2f64,3f64,4f64] } output { 0.8219461696520542f64 }
-- input { 4i64 -9223372036854775808i64 [1f64,2f64,3f64,4f64] } output { 10.0f64 }
-- input { 4i64 9223372036854775807i64 [1f64,2f64,3f64,4f64] } output { -3.1780538303479458f64 }
-- input { -9223372036854775808i64 3i64 [1f64,2f64,3f64,4f64] } output { 0.0f64 }
entry gt [n] (m: i64) (x: i64) (a: [n]f64) : f64 =
  loop s = 0 for i < m do if x < i then s + a[i] else s - f64.log a[n - 1 - i]

-- ==
-- entry: far
-- input { 7i64 4i64 [1,2,3,4] } output { 91i32 }
-- input { 9i64 4i64 [1,2,3,4] } error: (out of bounds|Index)
-- input { 5i64 5i64 [1,2,3,4] } error: (out of bounds|Index)
-- input { 8i64 4i64 [1,2,3,4] } output { 186i32 }
entry far [n] (m: i64) (x: i64) (a: [n]i32) : i32 =
  loop s = 0 for i < m do if i < x then s + a[i] else s * 2 + a[i - x]

-- ==
-- entry: upd
-- input { 2i64 [1i64,2i64,3i64,4i64,5i64] } output { [15i64, 12i64, 9i64, 21i64, 18i64] }
-- input { -1i64 [1i64,2i64,3i64,4i64,5i64] } error: (out of bounds|Index)
-- input { 100i64 [1i64,2i64,3i64,4i64,5i64] } output { [15i64, 12i64, 9i64, 36i64, 45i64] }
-- input { 4i64 [1i64,2i64,3i64,4i64,5i64] } output { [15i64, 12i64, 9i64, 36i64, 45i64] }
-- input { 0i64 empty([0]i64) } output { empty([0]i64) }
entry upd [n] (x: i64) (a: *[n]i64) : [n]i64 =
  loop a for i < n do if i <= x then a with [i] = a[n - 1 - i] * 3 else a with [i] = a[i - x] + a[x]

-- ==
-- entry: grad
-- input { 4i64 2i64 [1f64,2f64,3f64,4f64] } output { [0.5f64, 1.0f64, 1.0f64, 0.0f64] [0.5f64, 1.0f64, 1.0f64, 0.0f64] }
-- input { 4i64 9223372036854775807i64 [1f64,2f64,3f64,4f64] } output { [1.0f64, 1.0f64, 1.0f64, 1.0f64] [1.0f64, 1.0f64, 1.0f64, 1.0f64] }
-- input { -9223372036854775808i64 3i64 [1f64,2f64,3f64,4f64] } output { [0.0f64, 0.0f64, 0.0f64, 0.0f64] [0.0f64, 0.0f64, 0.0f64, 0.0f64] }
-- input { 3i64 -3i64 [1f64,2f64,3f64,4f64] } output { [0.0f64, -0.35355339059327373f64, -0.2886751345948129f64, -0.25f64] [-0.0f64, -0.35355339059327373f64, -0.2886751345948129f64, -0.25f64] }
-- input { 6i64 3i64 [1f64,2f64,3f64,4f64] } error: (out of bounds|Index)
entry grad [n] (m: i64) (x: i64) (a: [n]f64) : ([n]f64, [n]f64) =
  let f a = tri m x a
  let (_, g) = vjp2 f a 1
  in (g, map (\i -> jvp f a (tabulate n (\j -> f64.bool (i == j)))) (iota n))

-- ==
-- entry: mask
-- input { [0i64,2i64,-4i64,9223372036854775807i64] [[1f32,2f32],[3f32,4f32],[5f32,6f32],[7f32,8f32]] } output { [2.3591409f32, 74.683685f32, 8.0f32, 4077.5913f32] }
-- input { [0i64,2i64] empty([2][0]f32) } output { [0.0f32, 0.0f32] }
-- input { empty([0]i64) empty([0][3]f32) } output { empty([0]f32) }
-- input { [-9223372036854775808i64] [[1f32]] } output { [1.0f32] }
entry mask [n][m] (xs: [n]i64) (a: [n][m]f32) : [n]f32 =
  map2 (\x r -> loop s = 0 for j < m do if j <= x then s + f32.exp r[j] else s * 0.5 + r[m - 1 - j]) xs a

-- ==
-- entry: ends
-- input { 0i64 [1f64,2f64] } output { 1.0f64 }
-- input { 1i64 [1f64,2f64] } output { 2.0f64 }
-- input { 2i64 [1f64,2f64] } output { 4.0f64 }
-- input { 5i64 [1f64,2f64] } output { 11.65685424949238f64 }
-- input { -1i64 [1f64,2f64] } output { 1.0f64 }
-- input { -9223372036854775808i64 [1f64,2f64] } output { 1.0f64 }
-- input { -9223372036854775807i64 [1f64,2f64] } output { 1.0f64 }
entry ends (n: i64) (a: []f64) : f64 =
  loop s = 1 for i < n do if i == 0 then s + a[0] else if i == n - 1 then s * a[1] else s + f64.sqrt a[i & 1]

-- ==
-- entry: clamp
-- input { 3i64 [1f64,2f64,3f64] } output { 7.875f64 }
-- input { 4i64 [1f64,2f64,3f64] } error: (out of bounds|Index)
-- input { 1i64 [1f64,2f64,3f64] } output { 2.5f64 }
-- input { -9223372036854775808i64 [1f64,2f64,3f64] } output { 1.0f64 }
-- input { -9223372036854775806i64 [1f64,2f64,3f64] } output { 1.0f64 }
entry clamp [k] (n: i64) (a: [k]f64) : f64 =
  loop s = 1 for i < n do s * 0.5 + a[i64.max 0 (i - 1)] + a[i64.min (n - 1) (i + 1)]

-- ==
-- entry: back
-- input { 4i64 [1f64,2f64] } output { 4.0f64 }
-- input { 2i64 [1f64,2f64] } output { 3.0f64 }
-- input { -9223372036854775806i64 [1f64,2f64] } output { 1.0f64 }
-- input { -9223372036854775808i64 [1f64,2f64] } output { 1.0f64 }
entry back (n: i64) (a: []f64) : f64 =
  loop s = 1 for i < n do if i > n - 3 then s + a[0] else s * f64.sqrt a[1]

-- ==
-- entry: rows
-- input { 2i64 [3f64,2f64,3f64] } output { [23.085536923187668f64, 2.1972245773362196f64, 3.295836866004329f64] }
-- input { -9223372036854775808i64 [3f64,2f64,3f64] } output { [3.295836866004329f64, 2.1972245773362196f64, 3.295836866004329f64] }
-- input { 9223372036854775807i64 [3f64,2f64,3f64] } output { [23.085536923187668f64, 9.38905609893065f64, 23.085536923187668f64] }
entry rows [n] (x: i64) (a: [n]f64) : [n]f64 =
  map2 (\i v -> if i + 1 < x then v + f64.exp a[n - 1 - i] else v * f64.log a[0]) (iota n) a

-- ==
-- entry: rows3
-- input { 2i64 [3,2,3,5] } output { [8i32, 6i32, 9i32, 15i32] }
-- input { -9223372036854775808i64 [3,2,3,5] } output { [9i32, 6i32, 9i32, 15i32] }
-- input { -9223372036854775807i64 [3,2,3,5] } output { [9i32, 6i32, 9i32, 15i32] }
-- input { 9223372036854775807i64 [3,2,3,5] } output { [8i32, 6i32, 5i32, 8i32] }
entry rows3 [n] (x: i64) (a: [n]i32) : [n]i32 =
  map2 (\i v -> if i + 2 <= x && i != 1 then v + a[n - 1 - i] else v * a[0]) (iota n) a

-- ==
-- entry: u64s
-- input { 3u64 0u64 [1,2,3] } output { 7i32 }
-- input { 4u64 0u64 [1,2,3] } error: (out of bounds|Index)
-- input { 0u64 18446744073709551615u64 [1,2,3] } error: (out of bounds|Index)
-- input { 18446744073709551615u64 0u64 [1,2,3] } error: (out of bounds|Index)
-- input { 0u64 9223372036854775808u64 [1,2,3] } error: (out of bounds|Index)
entry u64s (n: u64) (i: u64) (a: []i32) : i32 =
  (loop s = 0 for j < n do if j == 0 then a[0] else s + a[i64.u64 j]) + a[i64.u64 i]

-- ==
-- entry: widths
-- input { 255u8 3i16 [1,2,3] } output { 3042i32 }
-- input { 0u8 -32768i16 [1,2,3] } output { 0i32 }
-- input { 1u8 1i16 [1,2,3] } output { 2i32 }
-- input { 2u8 -1i16 [1,2,3] } output { 2i32 }
-- input { 3u8 7i16 empty([0]i32) } error: (out of bounds|Index)
entry widths (n: u8) (m: i16) (a: []i32) : i32 =
  let s = loop s = 0 for i < n do if i == 0 then s + a[0] else if i < n - 1 then s + a[i64.u8 i % length a] else s * 2
  in loop s for j < m do if j == 0 then s + 1 else if j == m - 1 then s * a[i64.i16 j % length a] else s ^ i32.i16 j
