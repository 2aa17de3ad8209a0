-- The condition of an if comes before the branches.
-- at 8
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[]i64) =
  if (a with [0] = 1)[0] == 2
  then a[0]
  else 1
