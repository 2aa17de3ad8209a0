-- An assignment to an element.
-- at 7
-- ==
-- error: let xs\[i\] = v in

def f (xs: *[]i32) =
  xs[0] = 2
