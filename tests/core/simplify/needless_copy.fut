-- Copies that nothing needs.
-- structure soac: copy 0
-- ==
-- input { [1i32, 2i32] } output { 3i32 }
entry main (xs: []i32) : i32 = i32.sum (copy (copy xs))
