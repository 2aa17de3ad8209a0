-- A constructor without # in a case.
-- at 7
-- ==
-- error: a constructor begins with "#": "case #circle r

type shape = #circle f64 | #square f64
def f (s: shape) = match s case circle r -> r case square a -> a
