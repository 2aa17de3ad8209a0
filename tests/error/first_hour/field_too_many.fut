-- A field too many.
-- at 7
-- ==
-- error: there is no field "z" in this type\.

type p = {x: f64}
def f : p = {x = 1.0, z = 2.0}
