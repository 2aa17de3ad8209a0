-- A call as an argument, without parentheses.
-- at 6
-- ==
-- error: "f64\.sum \(map f64\.sqrt xs\)"

def f (xs: []f64) = f64.sum map f64.sqrt xs
