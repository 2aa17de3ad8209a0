-- An element of a transposed array is one of the array.
-- structure soac: rearrange 0
-- structure soac,c: alloc 0
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] 0i64 1i64 } output { 3i32 }
entry main (a: [][]i32) (i: i64) (j: i64) : i32 = (transpose a)[i, j]
