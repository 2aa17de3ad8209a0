-- Accumulators of records and of several at once, in loops that go over rows, with writes that depend
-- on what was read before, and no writes at all.
-- ==
-- entry: records
-- input { [0, 2, 0, 1] } output { [2i64, 1i64, 1i64] [2, 3, 1] }

-- ==
-- entry: transposed
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }

-- ==
-- entry: maxima
-- input { [0i64, 1i64, 0i64, 1i64, 9i64] [5, 2, 7, 1, 100] } output { [7, 2, -2147483648] }

-- ==
-- entry: in_loop
-- input { 3i64 } output { [6, 12, 18] }

-- ==
-- entry: large
-- input { 10000i64 } output { [2500i64, 2500i64, 2500i64, 2500i64] }

type cell = {n: i64, last: i32}

entry records [k] (xs: [k]i32) =
  let r =
    intrinsics.hist_stream (replicate 3 {n = 0, last = 0})
      (\(a: cell) (b: cell) -> {n = a.n + b.n, last = i32.max a.last b.last})
      {n = 0, last = 0}
      (\acc (i, x) -> intrinsics.acc_write acc (i64.i32 x) {n = 1, last = i32.i64 i})
      (zip (iota k) xs)
  in (map (.n) r, map (.last) r)

entry transposed [n] [m] (xss: [n][m]i32) : [m][n]i32 =
  unflatten (intrinsics.scatter_stream (replicate (m * n) 0)
               (\acc i -> loop acc for j < m do intrinsics.acc_write acc (j * n + i) xss[i, j])
               (iota n))

entry maxima [n] (is: [n]i64) (vs: [n]i32) =
  intrinsics.hist_stream (replicate 3 i32.lowest) i32.max i32.lowest
    (\acc (i, v) -> intrinsics.acc_write acc i v) (zip is vs)

-- the result of one is what the next one adds to
entry in_loop (n: i64) =
  loop a = replicate n 0 for k < 3i32 do
    intrinsics.hist_stream a (+) 0
      (\acc i -> intrinsics.acc_write acc i ((k + 1) * i32.i64 (i + 1))) (iota n)

entry large (n: i64) =
  intrinsics.hist_stream (replicate 4 0i64) (+) 0
    (\acc i -> intrinsics.acc_write acc (i % 4) 1) (iota n)
