-- Arguments are exchanged.
-- at 6
-- ==
-- error: "map" has type \(a -> x\) -> \[n\]a -> \*?\[n\]x

def f (xs: []i32) = map xs (+ 1)
