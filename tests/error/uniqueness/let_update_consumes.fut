-- An update of a component consumes it.
-- at 10
-- ==
-- error: Using variable "a", but this was consumed

def f (n: i64) =
  let a = iota n
  let b = a
  let a[0] = 1
  in (a, b[0])
