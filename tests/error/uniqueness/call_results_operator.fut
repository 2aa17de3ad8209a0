-- Two results of one operator.
-- at 11
-- ==
-- error: Using result of applying "\+\+\+" 

def (+++) (n: i64) (m: i64) : ([]i64, []i64) = let a = iota (n + m) in (a, a)

def f (n: i64) =
  let (a, b) = n +++ 2
  let b[0] = 1
  in (b, a)
