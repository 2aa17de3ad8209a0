-- Tuple components are evaluated from left to right.
-- at 8
-- ==
-- error: Using variable "a", but this was consumed

def f (n: i64) =
  let a = iota n
  in (a with [0] = 1, a[1])
