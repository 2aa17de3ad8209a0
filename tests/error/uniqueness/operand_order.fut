-- Operands are evaluated from left to right.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def s (a: *[]i64) : i64 = a[0]
def f (n: i64) =
  let a = iota n
  in s a + a[0]
