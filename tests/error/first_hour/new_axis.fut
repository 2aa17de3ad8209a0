-- A new axis by None.
-- at 6
-- ==
-- error: "map \(\\x -> \[x\]\) xs" is xs as a column, "\[xs\]" as a row\.

def f (a: [][]f64) = a[:, None]
