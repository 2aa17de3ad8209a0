-- Counting by a reduction.
-- at 6
-- ==
-- error: has the type of the elements; give them another type first

def f (xs: []f64) : i64 = reduce (\n x -> if x > 0 then n + 1 else n) 0 xs
