-- Several indices at once.
-- at 6
-- ==
-- error: "map \(\\i -> xs\[i\]\) is"

def f (a: []f64) = a[[0, 1]]
