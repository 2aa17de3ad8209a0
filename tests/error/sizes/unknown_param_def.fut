-- A parameter would need an unknown size.
-- at 6
-- ==
-- error: Unknown size ".*" in parameter of "f"

def f (xs: []i64) = zip xs (filter (> 0) xs)
