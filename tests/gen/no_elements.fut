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
