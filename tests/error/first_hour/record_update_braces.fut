-- A record with another field, in braces.
-- at 6
-- ==
-- error: a record with another field is written without braces: "r with x = \.\.\."\.

def f (p: {x: f64}) = {p with x = 3}
