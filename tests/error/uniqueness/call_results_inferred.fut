-- A result that is returned twice is unique in neither place.
-- at 11
-- ==
-- error: Using result of applying "both" 

def both (n: i64) = let a = iota n in (a, a)

def f (n: i64) =
  let (a, b) = both n
  let a[0] = 1
  in (a, b)
