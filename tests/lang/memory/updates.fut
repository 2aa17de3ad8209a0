-- Arrays that are written into parts of others, in all orders.
-- ==
-- entry: concats
-- input { [1i32,2i32,3i32] }
-- output { [2i32,3i32,4i32,2i32,4i32,6i32,1i32,2i32,3i32,1i32,4i32,9i32] }

-- ==
-- entry: rows
-- input { 3i32 }
-- output { [[3i32,4i32],[5i32,6i32],[9i32,12i32]] }

-- ==
-- entry: reads_old
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] }
-- output { [[1i32,2i32],[4i32,6i32],[9i32,12i32]] }

-- ==
-- entry: reads_between
-- input { [1i32,2i32,3i32,4i32] }
-- output { [2i32,3i32,3i32,4i32] 3i32 }

-- ==
-- entry: columns
-- input { [[1i32,2i32],[3i32,4i32]] [10i32,20i32] }
-- output { [[1i32,11i32],[3i32,21i32]] }

-- ==
-- entry: every_other
-- input { 7i64 }
-- output { [0i64,-1i64,1i64,-1i64,2i64,-1i64,3i64] }

-- ==
-- entry: backwards
-- input { [1i32,2i32,3i32] }
-- output { [4i32,3i32,2i32] }

-- ==
-- entry: prefix
-- input { [5i32,6i32,7i32] 2i64 }
-- output { [6i32,7i32] }

-- ==
-- entry: diagonal
-- input { 3i64 }
-- output { [[1i64,0i64,0i64],[0i64,2i64,0i64],[0i64,0i64,3i64]] }

entry concats [n] (xs: [n]i32) =
  let a = map (* 2) xs
  let b = map (+ 1) xs
  let c = map2 (*) xs xs
  in b ++ a ++ xs ++ c

entry rows (x: i32) =
  [[x, x + 1], [x + 2, x + 3], map (* x) [x, x + 1]]

-- The old rows are needed while the new ones are made.
entry reads_old [n][m] (a: [n][m]i32) =
  loop a = copy a for i < n - 1 do
    a with [i + 1] = map2 (+) a[i] a[i + 1]

entry reads_between [n] (a: *[n]i32) =
  let r = map (+ 1) (take 2 a)
  let s = a[2]
  in (a with [0:2] = r, s)

entry columns [n][m] (a: *[n][m]i32) (v: [n]i32) =
  a with [:, m - 1] = map (+ 1) v

entry every_other (n: i64) =
  let a = replicate n (-1)
  let k = length a[::2]
  in a with [::2] = map id (iota k)

entry backwards [n] (xs: [n]i32) =
  let ys = map (+ 1) xs
  in copy ys[::-1]

entry prefix [n] (xs: [n]i32) (k: i64) =
  let ys = map (+ 1) xs
  in copy ys[:k]

entry diagonal (n: i64) =
  loop a = replicate n (replicate n 0) for i < n do
    let row = replicate n 0 with [i] = i + 1
    in a with [i] = row
