-- A type applied to its fields.
-- at 7
-- ==
-- error: a record is written "\{x = 1, y = 2\}"

type point = {x: f64, y: f64}
def f = point {x = 1, y = 2}
