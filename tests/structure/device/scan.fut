-- A scan is a loop of one block, whose tiles are shared out when the text of the kernel is made.
-- structure soac,flatten,dce: loop.kernel 0, loop.blocks 1, loop.threads 1, screma 0
-- ==
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32] }
-- output { [1i32, 3i32, 6i32, 10i32, 15i32, 21i32, 28i32] }
entry main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
