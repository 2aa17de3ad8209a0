-- The rule of strides holds for what is written, too; the value has as many elements as are selected.
-- ==
-- entry: main
-- input { [1, 2, 3, 4, 5] 0i64 6i64 2i64 [7, 8, 9] } output { [7, 2, 8, 4, 9] }
-- input { [1, 2, 3, 4, 5] 0i64 7i64 2i64 [7, 8, 9, 0] } error: out of bounds
-- input { [1, 2, 3, 4, 5] 4i64 -1i64 -2i64 [7, 8, 9] } output { [9, 2, 8, 4, 7] }
-- input { [1, 2, 3, 4, 5] 0i64 6i64 2i64 [7, 8] } error: Shape of slice does not match
-- input { [1, 2, 3, 4, 5] 9i64 9i64 2i64 empty([0]i32) } output { [1, 2, 3, 4, 5] }

-- ==
-- entry: block
-- input { [[0, 0, 0], [0, 0, 0], [0, 0, 0]] } output { [[1, 0, 2], [0, 0, 0], [3, 0, 4]] }

-- ==
-- entry: turns
-- input { 7i64 } output { [0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64] }

entry main [n] [k] (xs: *[n]i32) (i: i64) (j: i64) (s: i64) (v: [k]i32) =
  xs with [i:j:s] = v

entry block (xss: *[3][3]i32) = xss with [0:4:2, ::2] = [[1, 2], [3, 4]]

-- the ends of all three lie past the array
entry turns (n: i64) =
  loop xs = replicate n 0 for k < 3 do
    let end = k + (n - k + 2) / 3 * 3
    in xs with [k:end:3] = map (const k) xs[k:end:3]
