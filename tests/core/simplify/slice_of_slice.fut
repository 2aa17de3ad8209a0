-- Views of views are views of the array.
-- structure soac: slice 0, rearrange 0, reshape 0, index 1
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { 6i32 }
entry main (xss: [2][3]i32) : i32 = #[unsafe] (transpose xss)[1:3, :][1, 1]
