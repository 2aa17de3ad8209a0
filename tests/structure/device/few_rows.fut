-- Scans of a few long rows: each is a loop of one block, until the text of the kernel is made.
-- structure soac,flatten,dce: loop.blocks 1, loop.threads 1, loop.kernel 0, screma 0
-- ==
-- input { [[1i32, 2i32, 3i32, 4i32, 5i32], [6i32, 7i32, 8i32, 9i32, 10i32]] }
-- output { [[1i32, 3i32, 6i32, 10i32, 15i32], [6i32, 13i32, 21i32, 30i32, 40i32]] }
entry main [n][m] (xss: [n][m]i32) : [n][m]i32 =
  #[flattening(no_outer)] map (\xs -> #[flattening(no_outer)] scan (+) 0 xs) xss
