-- Of several parts those of one type may be one array.
-- at 12
-- ==
-- error: Using result of applying "three"

def three (n: i64) : ([]i64, []f64, []i64) = let a = iota n in (a, map f64.i64 a, a)

def f (n: i64) =
  let (a, b, c) = three n
  let b[0] = 1
  let a[0] = 1
  in (a, b, c)
