-- A space before an index.
-- at 6
-- ==
-- error: without a space: "xs\[i\]"

def f (xs: []i32) (i: i64) = xs [i]
