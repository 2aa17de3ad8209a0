-- Very many rows without elements, interpreted (src/core/interp_empty.c) and compiled.
-- ==
-- entry: mapped stepped scanned
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]i64) }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
entry mapped (n: i64) (m: i64) : [n][m]i64 =
  let a = replicate n (replicate m 1) in map2 (map2 (+)) a a
entry stepped (n: i64) (m: i64) : [n][m]i64 =
  loop a = replicate n (replicate m 1) for i < 3 do map (map (+i)) a
entry scanned (n: i64) (m: i64) : [n][m]i64 =
  scan (map2 (+)) (replicate m 0) (replicate n (replicate m 1))

-- ==
-- entry: summed
-- input { 1152921504606846970i64 0i64 } output { empty([0]i64) }
-- input { 3i64 2i64 } output { [3i64, 3i64] }
entry summed (n: i64) (m: i64) : [m]i64 =
  reduce (map2 (+)) (replicate m 0) (replicate n (replicate m 1))

-- ==
-- entry: gradient
-- input { 1152921504606846970i64 0i64 } output { empty([1152921504606846970][0]f64) }
-- input { 1i64 2i64 } output { [[36f64, 36f64]] }
entry gradient (n: i64) (m: i64) : [n][m]f64 =
  vjp (\(b: [n][m]f64) -> f64.sum (flatten (loop c = b for _i < 2 do map (map (\x -> x * x)) c)))
      (replicate n (replicate m 3 :> [m]f64))
      (1f64 / 3)

-- What fails in some row is not left out, nor what fails in all of them.
-- ==
-- entry: failing
-- input { [1i64, 2i64, 3i64] 0i64 } error: Assertion
-- input { [1i64, 2i64] 1i64 } output { [[1i64], [2i64]] }
entry failing [n] (is: [n]i64) (m: i64) : [n][m]i64 =
  map (\i -> let k = assert (i < 3) i in map (\j -> k + j) (iota m)) is

-- ==
-- entry: all_fail
-- input { 5i64 0i64 } error: Assertion
-- input { 1i64 0i64 } error: Assertion
-- input { 0i64 0i64 } output { empty([0][0]i64) }
entry all_fail (n: i64) (m: i64) : [n][m]i64 =
  map (\r -> let k = assert (m > 0) m in map (+ k) r) (replicate n (replicate m 1))

-- A sum of numbers is no empty array, whatever else there is.
-- ==
-- entry: counted
-- input { 5i64 0i64 } output { 5i64 empty([5][0]i64) }
entry counted (n: i64) (m: i64) : (i64, [n][m]i64) =
  let a = replicate n (replicate m 1)
  let (ks, b) = unzip (map (\r -> (1 + i64.sum r, map (+ 1) r)) a)
  in (i64.sum ks, b)
