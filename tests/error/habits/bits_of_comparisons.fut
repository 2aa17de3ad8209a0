-- Comparisons joined by the operator for bits.
-- at 6
-- ==
-- error: "&&" is for truth values, "&" for the bits

def f (x: f64) : bool = x > 0 & x < 1
