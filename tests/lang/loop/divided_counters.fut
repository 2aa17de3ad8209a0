-- Loops that divide their counter: by what is zero, negative or larger than the count, with rows left
-- over, and checks that fail in some of them.

-- ==
-- entry: rest
-- input { 7i64 3i64 [1f64,2f64,3f64,4f64] } output { 6.375f64 }
-- input { 9i64 3i64 [1f64,2f64,3f64,4f64] } output { 16.375f64 }
-- input { 3i64 7i64 [1f64,2f64,3f64,4f64] } output { 1.75f64 }
-- input { 0i64 0i64 [1f64,2f64,3f64,4f64] } output { 1.0f64 }
-- input { 5i64 0i64 [1f64,2f64,3f64,4f64] } error: .
-- input { 5i64 -2i64 [1f64,2f64,3f64,4f64] } error: .
-- input { 4i64 -9223372036854775808i64 [1f64,2f64,3f64,4f64] } error: .
-- input { 4i64 9223372036854775807i64 [1f64,2f64,3f64,4f64] } output { 1.875f64 }
-- input { -9223372036854775808i64 -1i64 [1f64,2f64,3f64,4f64] } output { 1.0f64 }
-- input { 8i64 1i64 [1f64,2f64,3f64,4f64] } output { 29.0f64 }
-- input { -3i64 2i64 [1f64,2f64,3f64,4f64] } output { 1.0f64 }
entry rest [k] (n: i64) (m: i64) (a: [k]f64) : f64 =
  loop s = 1 for p < n do let i = p / m let j = p % m in if i < j then s * 0.5 + a[i] else s + a[j] * f64.i64 i

-- ==
-- entry: quot
-- input { 7i64 3i64 [1i8,2i8,3i8,127i8] } output { -8i8 }
-- input { 5i64 -2i64 [1i8,2i8,3i8,127i8] } output { -2i8 }
-- input { 5i64 0i64 [1i8,2i8,3i8,127i8] } error: .
-- input { 12i64 4i64 [1i8,2i8,3i8,-128i8] } output { 101i8 }
-- input { 13i64 4i64 [1i8,2i8,3i8,-128i8] } output { 100i8 }
entry quot [k] (n: i64) (m: i64) (a: [k]i8) : i8 =
  loop s = 1i8 for p < n do let i = p // m let j = p %% m in if i == j then s * 3 + a[i] else s - a[j]

-- ==
-- entry: small
-- input { [1u8,2u8,3u8,4u8,5u8,250u8,7u8,8u8] } output { [2u8, 5u8, 8u8, 0u8, 0u8, 7u8, 255u8, 5u8] }
-- input { [9u8] } output { [9u8] }
-- input { empty([0]u8) } output { empty([0]u8) }
entry small [n] (a: [n]u8) : *[n]u8 =
  loop b = replicate n 0 for p < n do if p % 3 == 1 then b with [p / 3] = a[p] else b with [n - 1 - p / 3] = a[p] + b[p / 3]

-- ==
-- entry: mat
-- input { [[1,2,3],[4,5,6]] } output { -9i32 }
-- input { [[5]] } output { -5i32 }
-- input { empty([0][3]i32) } output { 0i32 }
-- input { empty([3][0]i32) } output { 0i32 }
-- input { [[1],[2],[3]] } output { -11i32 }
-- input { [[1,2,3]] } output { -11i32 }
entry mat [n][m] (a: [n][m]i32) : i32 =
  loop s = 0 for p < n * m do let i = p / m let j = p % m in if i > 0 && j > 0 then s + a[i - 1, j - 1] * a[i, j] else s * 2 - a[i, j]
-- a matrix without elements whose sizes multiply to 2^64

-- ==
-- entry: huge
-- input { empty([4294967296][0]i32) empty([4294967296][0]i32) [1,2,3,4] } output { 0i32 }
-- input { empty([2][0]i32) empty([3][0]i32) [1,2,3,4] } output { 7i32 }
entry huge [n][m] (a: [n][0]i32) (b: [m][0]i32) (c: [4]i32) : i32 =
  (loop s = 0 for p < n * m do let i = p / m let j = p % m in if i < j then s + c[i & 3] else s * 2 - c[j & 3]) + i32.i64 (length a + length b)
-- three levels

-- ==
-- entry: three
-- input { 2i64 3i64 4i64 } output { 8072943436915365272i64 }
-- input { 0i64 3i64 4i64 } output { 0i64 }
-- input { 2i64 0i64 4i64 } output { 0i64 }
-- input { -2i64 -3i64 4i64 } output { -768192228287364288i64 }
-- input { 1i64 1i64 1i64 } output { 0i64 }
entry three (n: i64) (h: i64) (w: i64) : i64 =
  loop s = 0 for p < n * h * w do
    let c = p / (h * w) let y = p % (h * w) / w let x = p % w
    in s * 31 + (c * 7 + y * 5 + x) ^ p
-- a bound that changes, divided by what changes

-- ==
-- entry: changing
-- input { 7i64 } output { 69i64 }
-- input { 1i64 } output { 1i64 }
-- input { 0i64 } output { 1i64 }
entry changing (n: i64) : i64 =
  loop s = 1 for k < n do loop s for p < k * (s & 3) do s + (p / (k + 1)) * 3 + p % (1 + (k & 1))
-- failing assertion in the leftover rows

-- ==
-- entry: fails
-- input { 7i64 3i64 [1i64,2i64,3i64] } output { 25i64 }
-- input { 8i64 3i64 [1i64,2i64,3i64] } error: .
-- input { 7i64 4i64 [1i64,2i64,3i64] } error: .
-- input { 3i64 4i64 [1i64,2i64,3i64] } output { 9i64 }
-- input { 4i64 4i64 [1i64,2i64,3i64] } error: .
entry fails [k] (n: i64) (m: i64) (a: [k]i64) : i64 =
  loop s = 0 for p < n do let i = p / m in s + assert (p < 7) a[i] + a[p % m]

-- ==
-- entry: ugrad
-- input { 7i64 3i64 [1f64,2f64,3f64,4f64] } output { [3.25f64, 1.5f64, 0.0f64, 0.0f64] [3.25f64, 1.5f64, 0.0f64, 0.0f64] }
-- input { 9i64 3i64 [1f64,2f64,3f64,4f64] } output { [3.25f64, 3.5f64, 2.0f64, 0.0f64] [3.25f64, 3.5f64, 2.0f64, 0.0f64] }
-- input { 5i64 -2i64 [1f64,2f64,3f64,4f64] } error: .
-- input { 5i64 0i64 [1f64,2f64,3f64,4f64] } error: .
-- input { 0i64 0i64 [1f64,2f64,3f64,4f64] } output { [0.0f64, 0.0f64, 0.0f64, 0.0f64] [0.0f64, 0.0f64, 0.0f64, 0.0f64] }
-- input { -4i64 2i64 [1f64,2f64,3f64,4f64] } output { [0.0f64, 0.0f64, 0.0f64, 0.0f64] [0.0f64, 0.0f64, 0.0f64, 0.0f64] }
entry ugrad [k] (n: i64) (m: i64) (a: [k]f64) : ([k]f64, [k]f64) =
  (vjp (\a -> rest n m a) a 1, map (\i -> jvp (\a -> rest n m a) a (tabulate k (\j -> f64.bool (i == j)))) (iota k))

-- ==
-- entry: hess
-- input { 7i64 3i64 [1f64,2f64,3f64,4f64] } output { [[0.538050660588862f64, 3.1802746971898275f64, 7.537316152826449f64, 0.0f64],  [3.1802746971898275f64, -5.340278930356995f64, 3.7115316971980494f64, 0.0f64],  [7.537316152826449f64, 3.7115316971980494f64, 2.779615484344081f64, 0.0f64],  [0.0f64, 0.0f64, 0.0f64, 0.0f64]] }
-- input { 1i64 1i64 [1f64] } output { [[0.23913362692838303f64]] }
-- input { 9i64 2i64 [1f64,2f64,3f64,4f64] } error: .
entry hess [k] (n: i64) (m: i64) (a: [k]f64) : [k][k]f64 =
  let f (a: [k]f64) = loop s = 1 for p < n do let i = p / m let j = p % m in if i < j then s * 0.5 * a[j] + a[i] * a[j] else s + a[j] * f64.sin a[i]
  in map (\i -> jvp (\a -> vjp f a 1) a (tabulate k (\j -> f64.bool (i == j)))) (iota k)
