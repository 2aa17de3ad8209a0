-- Results of maps may be consumed.
-- ==
-- input { 3i64 } output { [9i64, 1i64, 2i64] [1i64, 2i64, 3i64] }
entry main (n: i64) =
  let a = iota n
  let b = map (+ 1) a
  in (a with [0] = 9, b)
