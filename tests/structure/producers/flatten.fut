-- Rows laid flat are read by rows.
-- structure soac,c: alloc 0, copies 0
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { 10i32 }
entry main (a: [][]i32) : i32 = i32.sum (flatten a)
