-- A factor that depends on the columns and the sum of a product, not on its rows, which are around the
-- columns: it is an array of its own before the rows, and what is left is a product of two arrays.
-- ==
-- input { [[1.0, 2.0], [0.5, -1.0], [2.0, 0.25]] [[0.5, 1.0], [2.0, 0.0], [1.0, -1.0]] }
-- output { [[-0.75, 0.5], [4.5, -1.0]] }

-- structure sequential,c: loop 5, scratch 3

def main [h] [k] [l] (w: [k][h]f64) (y: [k][l]f64) : [h][l]f64 =
  tabulate_2d h l (\i j ->
    loop s = 0 for q < k do s + (1 - y[q, j]) * (1 + y[q, j]) * w[q, i])
