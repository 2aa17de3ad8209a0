-- A product without its operator.
-- at 6
-- ==
-- error: a product is written with its operator: "2 \* x"\.

def f (x: f64) = 2x + 1
