-- A row shares memory with the matrix.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[][]i32) =
  let row = a[1]
  let b = a with [1, 1] = 7
  in (b, row)
