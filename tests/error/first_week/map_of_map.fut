-- The inner map without parentheses.
-- at 6
-- ==
-- error: an argument that is a call is in parentheses: "map \(map \(\+ 1\)\) a"\.

def f (a: [][]f64) = map map (+ 1) a
