-- A row that another iteration writes, or the row at the other end: still loops.
-- structure soac: loop 2
-- ==
-- input { [1i64, 2i64, 3i64] } output { [1i64, 3i64, 6i64] [2i64, 4i64, 3i64] [3i64, 2i64, 1i64] }
entry main [n] (xs: [n]i64) : ([n]i64, [n]i64, [n]i64) =
  ( loop ys = copy xs for i < n do ys with [i] = ys[i] + (if i > 0 then ys[i - 1] else 0)
  , loop ys = copy xs for i < n - 1 do ys with [i] = 2 * ys[i]
  , loop ys = copy xs for i < n / 2 do
      let t = ys[i]
      let ys[i] = ys[n - 1 - i]
      in ys with [n - 1 - i] = t )
