-- Arguments are evaluated from right to left.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def h2 (x: i64) (a: *[]i64) : i64 = x + a[0]
def f (n: i64) =
  let a = iota n
  in h2 a[0] a
