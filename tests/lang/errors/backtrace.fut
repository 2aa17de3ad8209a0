-- The place of a failure inside functions.
def get (xs: []i32) (i: i64) = xs[i]
-- ==
-- input { [1, 2] } error: Index \[5\] out of bounds
entry main (xs: []i32) = get xs 5
