-- The destination of a histogram is consumed.
-- at 6
-- ==
-- error: Using variable "xs", but this was consumed

def f (xs: *[3]i32) = (reduce_by_index xs (+) 0 [0, 1] [5, 6], xs)
