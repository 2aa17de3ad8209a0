-- Two comparisons of one value.
-- at 6
-- ==
-- error: comparisons do not chain: write "0 < x && x < 3"

def f (x: i32) = 0 < x < 3
