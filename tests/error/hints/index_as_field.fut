-- An index where a field could be.
-- at 6
-- ==
-- error: an index is in brackets: "xs\[0\]"

def f (xs: *[]i32) = xs with 0 = 3
