-- scatter consumes its destination.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (n: i64) =
  let a = iota n
  let b = scatter a [0] [1]
  in (b, a[0])
