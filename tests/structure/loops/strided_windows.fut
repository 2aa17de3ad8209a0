-- Windows that begin at every second pixel, pictures and weights in flat arrays: the loop over a window, whose
-- counter is divided by numbers that are known, is unrolled, and inside of the picture there is neither a condition nor
-- a check.  The first row and the first column of windows are loops of their own.
-- structure sequential,c: loop 9, if 2, assert 0
-- ==
-- entry: main
-- input { [[[0f32, 0f32, 2f32, 3f32], [-3f32, -2f32, 2f32, 3f32], [-2f32, -1f32, 3f32, -1f32], [-2f32, 2f32, -2f32, -1f32]]]
--         [[[[1f32, 0f32, -2f32], [-2f32, 2f32, 1f32], [2f32, 0f32, 2f32]]], [[[-1f32, 0f32, 1f32], [-2f32, -1f32, -2f32], [0f32, 2f32, -2f32]]]] }
-- output { [[[-4f32, 9f32], [3f32, 1f32]], [[-2f32, -10f32], [-6f32, 4f32]]] }
-- input { [[[-1f32, -1f32, 3f32, -2f32, 0f32, -2f32, -3f32], [2f32, -3f32, -2f32, 0f32, 0f32, -3f32, 3f32], [2f32, 3f32, -3f32, 2f32, -1f32, 0f32, 3f32], [-2f32, 2f32, -2f32, -1f32, 3f32, -1f32, 0f32], [-1f32, -3f32, -1f32, 1f32, 0f32, 2f32, -1f32]], [[1f32, 2f32, 3f32, -1f32, -3f32, 2f32, 0f32], [3f32, 0f32, -1f32, -3f32, 0f32, 1f32, 2f32], [2f32, -2f32, 1f32, 2f32, -2f32, -1f32, 2f32], [1f32, 0f32, 1f32, 0f32, 3f32, 2f32, -3f32], [-2f32, 0f32, 2f32, -3f32, 1f32, 2f32, 2f32]]]
--         [[[[2f32, -2f32, 0f32], [2f32, -1f32, -2f32], [0f32, -2f32, -1f32]], [[2f32, 1f32, 2f32], [2f32, 2f32, -1f32], [0f32, 1f32, -1f32]]]] }
-- output { [[[5f32, 16f32, -8f32], [0f32, -2f32, -2f32]]] }
-- input { [[[3f32, -3f32, 2f32]]]
--         [[[[1f32, -1f32, 1f32], [0f32, 2f32, 2f32], [-1f32, 0f32, -1f32]]]] }
-- output { empty([1][0][1]f32) }
-- input { [[[1f32, 1f32], [2f32, 2f32]]]
--         [[[[2f32, 2f32, 2f32], [-2f32, -2f32, 0f32], [-1f32, 2f32, 1f32]]]] }
-- output { [[[4f32]]] }
-- input { empty([1][0][3]f32) [[[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]]] } output { empty([1][0][1]f32) }
entry main [c][h][w][o] (x: [c][h][w]f32) (k: [o][c][3][3]f32) : [o][h / 2][w / 2]f32 =
  let xs = flatten_3d x
  let ks = flatten (flatten_3d k)
  in tabulate_3d o (h / 2) (w / 2)
                 (\f i j ->
                    loop s = 0
                    for q < c * 9 do
                      let (ch, r) = (q / 9, q % 9)
                      let (y, z) = (2 * i + r / 3 - 1, 2 * j + r % 3 - 1)
                      in if y < 0 || y >= h || z < 0 || z >= w
                         then s
                         else s + xs[(ch * h + y) * w + z] * ks[(f * c + ch) * 9 + r])
