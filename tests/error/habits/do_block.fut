-- A block of statements.
-- at 6
-- ==
-- error: the expression after the "="

def f (x: f64) = do
  x + 1
