-- An index in parentheses.
-- at 6
-- ==
-- error: an element is "xs\[i\]"

def f (xs: []i32) (i: i64) = xs(i)
