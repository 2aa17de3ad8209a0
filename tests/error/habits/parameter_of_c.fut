-- A parameter of C.
-- at 6
-- ==
-- error: the type of a parameter follows its name: "\(xs: f64\)"

def f (double xs[]) = xs
