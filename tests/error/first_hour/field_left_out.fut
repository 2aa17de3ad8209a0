-- A field that is left out.
-- at 7
-- ==
-- error: give the field "y" a value too\.

type p = {x: f64, y: f64}
def f : p = {x = 1.0}
