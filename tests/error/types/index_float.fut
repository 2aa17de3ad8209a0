-- An index must be an integer.
-- at 6
-- ==
-- error: Index must be of a signed integer type

def f (xs: []i32) (i: f32) = xs[i]
