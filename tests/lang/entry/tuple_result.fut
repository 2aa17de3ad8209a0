-- A nested tuple result is flattened.
-- ==
-- input { 1 } output { 1 2 3 true }
entry main (x: i32) = ((x, 2i32), (3i32, true))
