-- An index where a field could be.
-- at 6
-- ==
-- error: an index stands in brackets: "xs\[0\]"

def f (xs: *[]i32) = xs with 0 = 3
