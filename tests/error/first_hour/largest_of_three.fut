-- The largest of three numbers.
-- at 6
-- ==
-- error: for several values: "f64\.maximum \[a, b, c\]"\.

def f (a: f64) (b: f64) (c: f64) = f64.max a b c
