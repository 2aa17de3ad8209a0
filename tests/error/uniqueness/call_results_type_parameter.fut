-- Parts of the type of one type parameter may be one array.
-- at 11
-- ==
-- error: Using result of applying "twice"

def twice 'a (f: i64 -> a) : (a, a) = let x = f 3 in (x, x)

def f (n: i64) =
  let (a, b) = twice (\k -> replicate n k)
  let a[0] = 1
  in (a, b)
