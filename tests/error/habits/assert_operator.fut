-- A condition without parentheses.
-- at 6
-- ==
-- error: "assert \(c\) e" is e if c is true

def f (x: i32) = assert x > 0 x
