-- A polymorphic result of several parts may have them share memory.
-- at 9
-- ==
-- error: Using result of applying "id" 

def f (n: i64) =
  let (a, b) = id (iota n, iota n)
  let a[0] = 1
  in (a, b)
