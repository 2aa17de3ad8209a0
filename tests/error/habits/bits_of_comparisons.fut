-- Comparisons joined by the operator for bits.
-- at 6
-- ==
-- error: "&&" is for booleans, "&" for the bits

def f (x: f64) : bool = x > 0 & x < 1
