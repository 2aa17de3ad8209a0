-- Reading before consuming is fine.
def s (a: *[]i64) : i64 = let a[0] = 100 in i64.sum a
def h (a: *[]i64) (x: i64) : i64 = s a + x
-- ==
-- input { 3i64 } output { 1i64 [1i64, 1i64, 2i64] 103i64 104i64 }
entry main (n: i64) =
  let a = iota n
  let b = iota n
  let c = iota n
  let (x, y) = (a[1], a with [0] = 1)
  in (x, y, b[0] + s b, h c c[1])
