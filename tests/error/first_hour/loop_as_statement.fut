-- A loop as a statement.
-- at 7
-- ==
-- error: "xs" on the next line continues this one, as an argument; is "in" or an operator

def f (xs: *[]f64) (n: i64) =
  loop xs for i < n do xs with [i] = 0
  xs
