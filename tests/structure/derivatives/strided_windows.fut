-- The derivative of windows that begin at every second pixel, of flat arrays: inside of the picture each index is known
-- to be in bounds, though only both comparisons together say that it does not wrap around.  The two checks are of sizes.
-- structure sequential,c: if 2, assert 2
-- ==
-- entry: main
-- input { [[[1f32, 2f32, 3f32, 4f32], [5f32, 6f32, 7f32, 8f32]]] [[[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]]]] }
-- output { [[[5f32, 10f32, 5f32, 6f32], [8f32, 16f32, 8f32, 9f32]]] [[[[0f32, 0f32, 0f32], [2f32, 4f32, 6f32], [6f32, 12f32, 14f32]]]] }
def windows [c][h][w][o] (x: [c][h][w]f32) (k: [o][c][3][3]f32) : [o][h / 2][w / 2]f32 =
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

entry main [c][h][w][o] (x: [c][h][w]f32) (k: [o][c][3][3]f32) =
  vjp (\(x, k) -> f32.sum (flatten_3d (windows x k))) (x, k) 1
