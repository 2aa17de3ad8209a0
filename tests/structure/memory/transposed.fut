-- A transposed array is read across, not copied.
-- structure soac,c: copies 0, alloc 1
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [4i32, 6i32] }
entry main (a: [][]i32) : []i32 = map i32.sum (transpose a)
