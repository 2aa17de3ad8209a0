-- A loop that divides its counter becomes a nest over rows and columns; without a loop for the rest where the
-- count is the number of elements of an array.
-- structure soac,c: loop 10
-- ==
-- entry: matrix
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [0i64, 102i64, 203i64, 1004i64, 1105i64, 1206i64] }
-- input { empty([0][3]i64) } output { empty([0]i64) }
-- input { empty([3][0]i64) } output { empty([0]i64) }
entry matrix [n][m] (a: [n][m]i64) : [n * m]i64 =
  let xs = flatten a
  in map (\p -> let (i, j) = (p / m, p % m) in i * 1000 + j * 100 + (if i + j == 0 then 0 else xs[p])) (iota (n * m))

-- ==
-- entry: cube
-- input { [[[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]], [[7i64, 8i64], [9i64, 10i64], [11i64, 12i64]]] } output { 244i64 }
-- input { empty([0][3][2]i64) } output { 0i64 }
-- input { empty([2][3][0]i64) } output { 0i64 }
entry cube [n][m][k] (a: [n][m][k]i64) : i64 =
  let xs = flatten_3d a
  in loop s = 0 for p < n * m * k do (s * 3 + xs[p] * (p / k) + p % k) % 1009

-- ==
-- entry: any
-- input { 7i64 3i64 } output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 20i64] }
-- input { 6i64 3i64 } output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64] }
-- input { 4i64 -2i64 } output { [0i64, -11i64, -10i64, -21i64] }
-- input { 2i64 9i64 } output { [0i64, 1i64] }
-- input { 0i64 0i64 } output { empty([0]i64) }
-- input { 2i64 0i64 } error: division by zero
entry any (n: i64) (m: i64) : []i64 = map (\p -> p / m * 10 + p % m) (iota n)

-- The product wraps around: 2^63 * 2 = 0, 2^62 * 6 = 2^63, (2^62 + 1) * 4 = 4.
-- ==
-- entry: wraps
-- input { 4611686018427387905i64 4i64 } output { 6i64 }
-- input { 4i64 4611686018427387905i64 } output { 6i64 }
-- input { -2i64 -3i64 } output { -20i64 }
entry wraps (n: i64) (m: i64) : i64 = loop s = 0 for p < n * m do s + p % m + 2 * (p / m)
