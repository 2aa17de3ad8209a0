-- A record with all fields of another one.
-- at 6
-- ==
-- error: a record with another field is written without braces: "r with x = \.\.\."\.

def f (p: {x: f64, y: f64}) = {...p, x = 3}
