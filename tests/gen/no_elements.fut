-- Arrays of very many rows without elements: of which that is known, or turns out.
-- ==
-- entry: filled mapped copied
-- input { 1152921504606846970i64 } output { empty([1152921504606846970][0]i32) }
-- input { 2i64 } output { empty([2][0]i32) }

entry filled (n: i64) : [][0]i32 = replicate n []
entry mapped (n: i64) : [][0]i32 = map (map (+ 1)) (replicate n ([]: [0]i32))
entry copied (n: i64) : [][0]i32 = copy (reverse (replicate n ([]: [0]i32)))

-- ==
-- entry: joined
-- input { 1152921504606846970i64 } output { empty([1152921504606846973][0]i32) }
entry joined (n: i64) : [][0]i32 = replicate n ([]: [0]i32) ++ replicate 3 ([]: [0]i32)

-- ==
-- entry: turned
-- input { 1152921504606846970i64 } output { empty([0][1152921504606846970]i32) }
entry turned (n: i64) : [0][]i32 = transpose (map (map (+ 1)) (replicate n ([]: [0]i32)))

-- ==
-- entry: rows
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 3i64 0i64 } output { empty([3][0]i64) }
-- input { 3i64 2i64 } output { [[0i64, 1i64], [0i64, 1i64], [0i64, 1i64]] }
entry rows (n: i64) (m: i64) : [][]i64 = replicate n (iota m)

-- ==
-- entry: zeros
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 1i64 2i64 } output { [[0i64, 0i64]] }
entry zeros (n: i64) (m: i64) : [][]i64 = replicate n (replicate m 0)

-- ==
-- entry: written
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 2i64 2i64 } output { [[1i64, 1i64], [0i64, 1i64]] }
entry written (n: i64) (m: i64) : [][]i64 =
  (replicate n (iota m)) with [0:n / 2] = replicate (n / 2) (replicate m 1)

-- Maps, folds, histograms and derivatives over such rows (src/gen/cempty.c).
-- ==
-- entry: products
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 2i64 2i64 } output { [[0i64, 0i64], [0i64, 1i64]] }
entry products (n: i64) (m: i64) : [n][m]i64 = map (\i -> map (\j -> i * j) (iota m)) (iota n)

-- ==
-- entry: stepped
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 2i64 2i64 } output { [[4i64, 4i64], [4i64, 4i64]] }
entry stepped (n: i64) (m: i64) : [n][m]i64 =
  loop a = replicate n (replicate m 1) for i < 3 do map (map (+i)) a

-- ==
-- entry: deep
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0][1152921504606846970]i64) }
-- input { 1i64 2i64 } output { [[[0i64], [1i64]]] }
entry deep (n: i64) (m: i64) : [n][m][n]i64 =
  map (\i -> map (\j -> map (\k -> i + j + k) (iota n)) (iota m)) (iota n)

-- ==
-- entry: summed
-- input { 1152921504606846970i64 0i64 } output { empty([0]i64) }
-- input { 3i64 2i64 } output { [3i64, 3i64] }
entry summed (n: i64) (m: i64) : [m]i64 = reduce (map2 (+)) (replicate m 0) (replicate n (replicate m 1))

-- ==
-- entry: counted
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 2i64 2i64 } output { [[3i64, 3i64], [3i64, 3i64]] }
entry counted (n: i64) (m: i64) : [n][m]i64 =
  reduce_by_index (replicate n (replicate m 1)) (map2 (+)) (replicate m 0) (iota n) (replicate n (replicate m 2))

-- ==
-- entry: gradient
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]f64) }
-- input { 1i64 2i64 } output { [[6.0, 6.0]] }
entry gradient (n: i64) (m: i64) : [n][m]f64 =
  vjp (\(b: [n][m]f64) -> f64.sum (map f64.sum (map (map (\x -> x * x)) b))) (replicate n (replicate m 3.0)) 1

-- An iteration that may fail is not left out.
-- ==
-- entry: failing
-- input { 5i64 0i64 } error: Assertion
-- input { 2i64 1i64 } output { [[0i64], [1i64]] }
entry failing (n: i64) (m: i64) : [n][m]i64 =
  map (\i -> let k = assert (i < 3) i in map (\j -> k + j) (iota m)) (iota n)
