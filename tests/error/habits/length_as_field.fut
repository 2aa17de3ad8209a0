-- The length as a field.
-- at 6
-- ==
-- error: functions come before their arguments: "length xs"

def f (xs: []f64) = xs.length
