-- Edges of a picture in two dimensions, decided inside of a sum: rows and columns at the edges become
-- loops of their own, and the sum of the others is free of branches.
-- structure inline_calls,simplify,scalarise,fuse,simplify,seq,simplify,scalarise,fuse_loops,hoist,peel,simplify: loop 10
-- ==
-- entry: main
-- input { [[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]], [[1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]] [1f32, 10f32] }
-- output { [[26f32, 39f32, 28f32], [15f32, 30f32, 15f32]] }
-- input { [[[7f32]]] [2f32] } output { [[0f32]] }
-- input { [[[7f32, 1f32]]] [2f32] } output { [[2f32, 14f32]] }
-- input { empty([1][0][3]f32) [2f32] } output { empty([0][3]f32) }
def at [h][w] (image: [h][w]f32) (i: i64) (j: i64) : f32 =
  if i >= 0 && i < h && j >= 0 && j < w then image[i, j] else 0

entry main [c][h][w] (images: [c][h][w]f32) (weights: [c]f32) : [h][w]f32 =
  tabulate_2d h w (\i j -> f32.sum (map2 (\x a -> a * (at x (i + 1) j + at x i (j - 1) + at x i (j + 1)))
                                         images weights))
