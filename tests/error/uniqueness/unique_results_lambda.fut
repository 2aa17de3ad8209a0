-- The same for a lambda with a declared result.
-- at 7
-- ==
-- error: aliased to some other component

def f (n: i64) =
  let g = \(k: i64) : (*[]i64, *[]i64) -> let a = iota k in (a, a)
  in g n
