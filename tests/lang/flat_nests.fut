-- Maps over all elements of an array whose bodies take the number of the element apart by divisions, in many writings.
-- Sizes may be 0, and numbers whose product is the size may be negative, or wrap around.
-- ==
-- entry: shape
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [1i64, 2i64, 3i64, 14i64, 15i64, 16i64] [0i64, 1i64, 2i64, 0i64, 1i64, 2i64] }
-- input { empty([0][3]i64) } output { empty([0]i64) empty([0]i64) }
-- input { empty([3][0]i64) } output { empty([0]i64) empty([0]i64) }

-- ==
-- entry: given
-- input { 2i64 3i64 } output { [0i64, 10i64, 20i64, 1i64, 11i64, 21i64] 63i64 }
-- input { 0i64 3i64 } output { empty([0]i64) 0i64 }
-- input { 3i64 0i64 } output { empty([0]i64) 0i64 }
-- input { -2i64 -3i64 } output { [0i64, -21i64, -11i64, -1i64, -22i64, -12i64] -63i64 }
-- input { 4294967296i64 4294967296i64 } output { empty([0]i64) 0i64 }

-- ==
-- entry: four
-- input { 2i64 3i64 4i64 5i64 } output { true true }
-- input { 1i64 3i64 1i64 2i64 } output { true true }

-- ==
-- entry: constant
-- input { 3i64 } output { true }

-- ==
-- entry: added
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] } output { [6f64, 15f64] [10f64, 14f64, 18f64] }

-- ==
-- entry: fails
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } error: Index \[6\] out of bounds for array of shape \[6\]
entry shape [n][m] (xs: [n][m]i64) : ([]i64, []i64) =
  unzip (map2 (\p x -> (x + 10 * (p / m), p % m)) (iota (n * m)) (flatten xs))

entry given (n: i64) (m: i64) : ([]i64, i64) =
  let ys = map (\p -> p / m + 10 * (p % m)) (iota (n * m))
  in (ys, i64.sum (map (\p -> (p % m) * 10 + p // m) (iota (n * m))))

-- The same by quotients of quotients, and by remainders of remainders.
entry four (a: i64) (b: i64) (c: i64) (d: i64) : (bool, bool) =
  let number i j k l = ((i * b + j) * c + k) * d + l
  let first =
    map (\p -> p == number (p / (b * c * d)) ((p / (c * d)) % b) ((p / d) % c) (p % d)) (iota (a * b * c * d))
  let second =
    map (\p ->
           let i = p / (b * c * d)
           let r = p % (b * c * d)
           let j = r / (c * d)
           let s = r % (c * d)
           in p == number i j (s / d) (s % d))
        (iota (a * b * c * d))
  in (and first, and second)

entry constant (n: i64) : bool =
  and (map (\p -> let (i, j) = (p / 32, p % 32) in 0 <= j && j < 32 && i * 32 + j == p) (iota (n * 32)))

entry added [n][m] (xs: [n][m]f64) : ([n]f64, [m]f64) =
  let f (rows: [n]f64, columns: [m]f64) = map (\p -> rows[p / m] + 2 * columns[p % m]) (iota (n * m))
  in vjp f (replicate n 0, replicate m 0) (flatten xs)

entry fails [n][m] (xs: [n][m]i64) : []i64 =
  let ys = flatten xs
  in map (\p -> if p % m == 0 then ys[p] else ys[p + 1]) (iota (n * m))
