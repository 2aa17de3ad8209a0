-- A scan in three steps: parts, the values of the parts, and all of it.
-- structure soac,flatten: loop.kernel 0, loop.blocks 3, loop.threads 3, screma 0
-- ==
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32] }
-- output { [1i32, 3i32, 6i32, 10i32, 15i32, 21i32, 28i32] }
entry main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
