-- A field by an index.
-- at 6
-- ==
-- error: components are named: "p\.0" is the first one of a tuple, "r\.x" the field x of a record\.

def f (p: {x: f64}) = p["x"]
