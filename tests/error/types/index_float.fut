-- An index must be an integer.
-- at 6
-- ==
-- error: Cannot

def f (xs: []i32) (i: f32) = xs[i]
