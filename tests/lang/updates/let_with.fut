-- The let form of updates.
-- ==
-- input { 3i64 } output { [5i64, 1i64, 7i64] }
entry main (n: i64) =
  let a = iota n
  let a[0] = 5
  let a[n - 1] = a[0] + 2
  in a
