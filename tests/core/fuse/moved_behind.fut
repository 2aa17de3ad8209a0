-- What stands between producer and consumer moves behind them.
-- structure soac: screma 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { 12i32 6i32 [4i32, 6i32, 8i32] }
entry main (xs: []i32) : (i32, i32, []i32) =
  let ys = map (* 2) xs
  let s = i32.sum ys
  let h = s / 2
  in (s, h, map (+ 2) ys)
