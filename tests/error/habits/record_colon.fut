-- A record with colons.
-- at 6
-- ==
-- error: a field is given its value by "="

def f (x: f64) = {a: x}
