-- A field by an arrow.
-- at 6
-- ==
-- error: a field is chosen by a point: "p\.x"\.

def f (p: {x: f64}) = p->x
