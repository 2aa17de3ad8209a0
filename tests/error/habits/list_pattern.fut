-- A pattern of a list.
-- at 6
-- ==
-- error: arrays have no patterns

def f (xs: []f64) = match xs case [] -> 0 case x:xs -> x
