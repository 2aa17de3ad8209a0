-- The sum of another type.
-- at 6
-- ==
-- error: a number with a point is not an i32\.

def f = i32.sum [1.5, 2.5]
