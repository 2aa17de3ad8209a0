-- Arguments are exchanged.
-- at 6
-- ==
-- error: the function comes first: "map \(\+ 1\) xs"

def f (xs: []i32) = map xs (+ 1)
