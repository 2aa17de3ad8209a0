-- A sum as a method.
-- at 6
-- ==
-- error: functions come before their arguments: "f64.sum xs"

def f (xs: []f64) = xs.sum()
