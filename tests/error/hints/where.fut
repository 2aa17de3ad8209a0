-- Names bound after the expression.
-- at 7
-- ==
-- error: names are bound before they are used

def f (x: i32) = y
  where y = x + 1
