-- A histogram whose indices are all the same is a reduction.
-- structure soac,flatten,dce: loop.blocks 2, loop.kernel 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [6i32] }
entry main [n] (xs: [n]i32) : [1]i32 = reduce_by_index (replicate 1 0) (+) 0 (replicate n 0) xs
