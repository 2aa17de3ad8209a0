-- Windows of half of the windows of a row, which are found by where they begin: only the sizes are checked.
-- structure soac: assert 2
-- ==
-- input { [[1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32], [1f32, 0f32, 0f32, 0f32, 0f32, 0f32, 2f32]] [1f32, 10f32] }
-- output { [1386f32, 201f32] }
def window [n][k] (xs: [n]f32) (w: [k]f32) = tabulate (n - k + 1) (\i -> f32.sum (tabulate k (\a -> xs[i + a] * w[a])))
def half [n] (xs: [n]f32) = tabulate (n / 2) (\i -> f32.max xs[2 * i] xs[2 * i + 1])

entry main [m][n][k] (xs: [m][n]f32) (w: [k]f32) : [m]f32 =
  map (\x -> f32.sum (window (half (window x w)) w)) xs
