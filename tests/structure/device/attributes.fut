-- Attributes say which versions of a nest there are.
-- structure soac,flatten,dce: loop.kernel 2, loop 3, screma 3, opaque 0
-- ==
-- entry: inner
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [9i32, 49i32] }
entry inner [n][m] (xss: [n][m]i32) =
  #[sequential_inner] map (\xs -> let s = i32.sum xs in s * s) xss

-- ==
-- entry: none
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [3i32, 7i32] }
entry none [n][m] (xss: [n][m]i32) = #[sequential] map (\xs -> i32.sum xs) xss

-- ==
-- entry: outer
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [[2i32, 3i32], [4i32, 5i32]] }
entry outer [n][m] (xss: [n][m]i32) = #[sequential_outer] map (\xs -> map (+ 1) xs) xss
