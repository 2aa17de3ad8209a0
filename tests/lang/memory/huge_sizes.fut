-- Sizes that do not fit an i64, or are larger than any array, fail also where the array is never
-- stored: they do not wrap around, and no check of an index is left out on their account.
-- ==
-- entry: joined
-- input { 4611686018427387904i64 } error: (is invalid|memory|out of bounds)
-- input { 1152921504606846976i64 } error: (too large|memory)
-- input { 2i64 } output { [7i64, 7, 8, 8] }
entry joined (n: i64) : []i64 = replicate n 7 ++ replicate n 8

-- ==
-- entry: joined_at
-- input { 4611686018427387904i64 5i64 } error: (is invalid|memory|out of bounds)
-- input { 1152921504606846976i64 5i64 } error: (too large|memory)
-- input { 2i64 2i64 } output { 8i64 }
entry joined_at (n: i64) (i: i64) : i64 = (replicate n 7 ++ replicate n 8)[i]

-- ==
-- entry: four
-- input { 4611686018427387905i64 1i64 } error: (is invalid|memory|out of bounds)
-- input { 1000000000000000000i64 1i64 } error: (too large|memory)
-- input { 1i64 2i64 } output { 0i64 }
entry four (n: i64) (i: i64) : i64 = (iota n ++ replicate n i ++ iota n ++ map (+ i) (iota n))[i]

-- ==
-- entry: added
-- input { 4611686018427387904i64 } error: (is invalid|memory|out of bounds)
-- input { 1152921504606846976i64 } error: (too large|memory)
-- input { 3i64 } output { 24i64 }
entry added (n: i64) : i64 = reduce (+) 0 (replicate n 7 ++ iota n)

-- A sum or product that was taken for a size is not one.
-- ==
-- entry: sum_as_index
-- input { 4611686018427387904i64 [1i64, 2, 3] } error: (is invalid|memory|out of bounds)
-- input { 1i64 [1i64, 2, 3] } output { 2i64 }
entry sum_as_index (n: i64) (ys: []i64) : i64 =
  let a = iota n
  in if n + n < length ys then ys[n] + (if n > 3 then a[3] else 0) else 7

-- ==
-- entry: product_as_index
-- input { 576460752303423488i64 576460752303423488i64 [1i64, 2, 3] } error: (too large|memory)
-- input { 576460752303423488i64 32i64 [1i64, 2, 3] } error: (too large|memory)
-- input { 1i64 2i64 [1i64, 2, 3] } output { 3i64 }
entry product_as_index (n: i64) (m: i64) (ys: []i64) : i64 =
  let a = flatten (replicate n (replicate m 1i64))
  let k = length a
  in if k < length ys then ys[k] + (if k > 3 then a[3] else 0) else 7

-- ==
-- entry: up_to
-- input { -9223372036854775808i64 9223372036854775807i64 0i64 } error: (is invalid|memory|out of bounds)
-- input { -4611686018427387904i64 4611686018427387904i64 0i64 } error: (is invalid|memory|out of bounds)
-- input { 0i64 9223372036854775807i64 5i64 } error: (is invalid|memory|out of bounds)
-- input { -1i64 3i64 4i64 } output { 3i64 }
entry up_to (a: i64) (b: i64) (i: i64) : i64 = (a...b)[i]

-- ==
-- entry: in_steps
-- input { -9223372036854775808i64 -9223372036854775807i64 9223372036854775807i64 1i64 } error: (is invalid|memory|out of bounds)
-- input { 9223372036854775807i64 9223372036854775806i64 -9223372036854775808i64 1i64 } error: (is invalid|memory|out of bounds)
-- input { -9223372036854775808i64 -1i64 9223372036854775807i64 2i64 } output { 9223372036854775806i64 }
-- input { 1i64 3i64 6i64 2i64 } output { 5i64 }
entry in_steps (a: i64) (b: i64) (c: i64) (i: i64) : i64 = (a..b...c)[i]

-- Many times the same element.
-- ==
-- entry: view
-- input { 4611686018427387904i64 1i64 [1i64, 2] } error: (out of bounds|memory)
-- input { 4611686018427387904i64 4i64 [1i64, 2] } error: (out of bounds|memory)
-- input { 3i64 2i64 [1i64, 2] } output { 2i64 }
entry view (n: i64) (m: i64) (ys: []i64) : i64 = (intrinsics.flat_index_2d ys 1 n 0 m 0)[0, 0]

-- Dimensions of arrays without elements.
-- ==
-- entry: given
-- input { empty([0][4611686018427387904]i64) [1i64, 2, 3] } error: (cannot have this size|out of bounds)
-- input { empty([0][1]i64) [1i64, 2, 3] } output { 2i64 }
entry given [n] [m] (_: [n][m]i64) (ys: []i64) : i64 = if m + m < length ys then ys[m] else 7

-- ==
-- entry: unflattened
-- input { 4611686018427387904i64 [1i64, 2, 3] } error: (Cannot unflatten|out of bounds)
-- input { 1i64 [1i64, 2, 3] } output { 2i64 }
entry unflattened (m: i64) (ys: []i64) : i64 =
  let a = unflatten (replicate (0 * m) 1i64)
  in if m + m < length ys then ys[m] + length (a :> [0][m]i64) else 7

-- Sizes of rows of which there are none.
-- ==
-- entry: no_rows
-- input { -1i64 [1i64, 2, 3] } error: (Range 0..1..<-1 is invalid|out of bounds)
-- input { 4611686018427387904i64 [1i64, 2, 3] } error: (is invalid|memory|out of bounds)
-- input { 1i64 [1i64, 2, 3] } output { 2i64 }
entry no_rows (m: i64) (ys: []i64) : i64 =
  let size [n] [k] (_: [n][k]i64) = k
  let k = size (tabulate (m - m) (\_ -> replicate m 1i64))
  in if k + k < length ys then ys[k] else 7

-- ==
-- entry: literal
-- input { -1i64 [1i64, 2, 3] } error: (Range 0..1..<-1 is invalid|out of bounds)
-- input { 4611686018427387904i64 [1i64, 2, 3] } error: (is invalid|memory|out of bounds)
-- input { 1i64 [1i64, 2, 3] } output { 2i64 }
entry literal (m: i64) (ys: []i64) : i64 =
  let a: [0][m]i64 = []
  let size [n] [k] (_: [n][k]i64) = k
  let k = size a
  in if k + k < length ys then ys[k] else 7

-- An array that another entry point gave; in one process: tests/gen/server.sh.
-- ==
-- entry: given_by_other
-- script input { (rows_of_none 1152921504606846976i64, [1i64, 2i64, 3i64]) } error: (cannot have this size|Expected|out of bounds|memory)
-- script input { (rows_of_none 0i64, [1i64, 2i64, 3i64]) } output { 1i64 }
entry given_by_other [n] [m] (_: [n][m]i64) (ys: []i64) : i64 = if 8 * n < length ys then ys[n] else 7

entry rows_of_none (n: i64) : [n][0]i64 = unflatten (replicate (n * 0) 1i64)
