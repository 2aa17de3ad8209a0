-- Two results of one call of a local function.
-- at 10
-- ==
-- error: Using result of applying "both" 

def f (n: i64) =
  let both k = let a = iota k in (a, a)
  let (a, b) = both n
  let a[0] = 1
  in (a, b)
