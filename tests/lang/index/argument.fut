-- An indexed argument.
def f (x: i32) = x + 1
-- ==
-- input { [1, 2] } output { 3 [1] }
entry main (xs: []i32) = (f xs[1], id [xs[0]])
