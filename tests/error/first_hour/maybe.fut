-- The type of a value that may be missing.
-- at 6
-- ==
-- error: a value that may be missing is of a sum type: "type maybe = #none \| #some f64"\.

def f (x: Maybe f64) = x
