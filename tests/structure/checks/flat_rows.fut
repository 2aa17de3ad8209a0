-- Products of the matrices of a batch, each in flat arrays: the number of elements of a row of the batch is at most that of
-- all, since there is a row where it is asked for, so that no index has to be checked.
-- structure sequential,c: assert 0, loop 4
-- ==
-- entry: main
-- input { [[[1f32, 2f32], [3f32, 4f32]], [[1f32, 0f32], [0f32, 1f32]]] [[[1f32], [10f32]], [[2f32], [3f32]]] }
-- output { [[[21f32], [43f32]], [[2f32], [3f32]]] }
-- input { empty([0][2][3]f32) empty([0][3][1]f32) } output { empty([0][2][1]f32) }
def product [m][k][n] (a: [m][k]f32) (b: [k][n]f32) : [m][n]f32 =
  let (xs, ys) = (flatten a, flatten b)
  in tabulate_2d m n (\i j -> loop s = 0 for l < k do s + xs[i * k + l] * ys[l * n + j])

entry main [q][m][k][n] (a: [q][m][k]f32) (b: [q][k][n]f32) : [q][m][n]f32 = map2 product a b
