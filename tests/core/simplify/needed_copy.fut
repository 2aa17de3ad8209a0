-- The copy is updated, the original used.
-- structure soac: copy 1, update 1
-- ==
-- input { [1i32, 2i32] } output { [0i32, 2i32] [1i32, 2i32] }
entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) = (copy xs with [0] = 0, xs)
