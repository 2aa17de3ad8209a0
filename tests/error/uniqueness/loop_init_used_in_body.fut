-- The body uses the array that the loop consumes.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (n: i64) =
  let a = iota n
  in loop p = a for i < n do
       p with [i] = a[0]
