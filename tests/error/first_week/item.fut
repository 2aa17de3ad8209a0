-- A number of a tensor.
-- at 6
-- ==
-- error: a number needs no conversion: "x", or "xs\[0\]" of an array\.

def f (x: f64) = x.item()
