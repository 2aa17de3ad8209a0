-- A type without its size.
-- at 7
-- ==
-- error: it has 1 parameter; sizes are given in brackets

type vec [n] = [n]f64
def f (v: vec) = v
