-- The size of the rows is open.
-- ==
-- error: must not be size-polymorphic in their return type
entry main (x: i32) : (i32, [][]i32) = (x, [])
