-- A documentation comment inside an expression.
-- at 7
-- ==
-- error: Unexpected "-- . Not here."

def f (x: i32) =
  -- | Not here.
  x
