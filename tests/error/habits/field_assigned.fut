-- An assignment to a field.
-- at 7
-- ==
-- error: "r with x = \.\.\."

type point = {x: f64, y: f64}
def f (p: point) = p.x = 3
