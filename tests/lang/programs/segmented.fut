-- Segmented scans and reductions, and a sparse matrix times a vector.
-- ==
-- entry: scans
-- input { [true, false, true, false, false] [1i32, 2i32, 3i32, -4i32, 5i32] }
-- output { [1i32, 3i32, 3i32, -1i32, 4i32] [1i32, 2i32, 3i32, 3i32, 5i32] }

-- ==
-- entry: sums
-- input { [true, false, true, false, false] [1i32, 2i32, 3i32, -4i32, 5i32] }
-- output { [3i32, 4i32] }

-- ==
-- entry: spmv
-- input { [2i64, 0i64, 1i64] [0i64, 2i64, 1i64] [1.5f64, 2.0f64, -1.0f64] [1.0f64, 2.0f64, 3.0f64] }
-- output { [7.5f64, 0.0f64, -2.0f64] }

def segscan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  let op' (f1, x) (f2, y) = (f1 || f2, if f2 then y else op x y)
  in (unzip (scan op' (false, ne) (zip flags xs))).1

def segreduce [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : []t =
  let sums = segscan op ne flags xs
  let ends = map2 (||) (rotate 1 flags) (map (== n - 1) (iota n))
  in map (.1) (filter (.0) (zip ends sums))

entry scans [n] (flags: [n]bool) (xs: [n]i32) =
  (segscan (+) 0 flags xs, segscan i32.max i32.lowest flags xs)

entry sums [n] (flags: [n]bool) (xs: [n]i32) = segreduce (+) 0 flags xs

entry spmv [n][m] (shape: [n]i64) (cols: [m]i64) (vals: [m]f64) (x: []f64) : [n]f64 =
  let offsets = exscan (+) 0 shape
  let row o l = f64.sum (map2 (\c v -> v * x[c]) cols[o:o + l] vals[o:o + l])
  in map2 row offsets shape
