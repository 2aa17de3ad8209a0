-- Heat spreading over a plate whose border mirrors what is next to it.
def step [n][m] (a: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    let up = a[i64.max 0 (i - 1), j]
    let down = a[i64.min (n - 1) (i + 1), j]
    let left = a[i, i64.max 0 (j - 1)]
    let right = a[i, i64.min (m - 1) (j + 1)]
    in a[i, j] + 0.2 * (up + down + left + right - 4 * a[i, j]))

entry main [n][m] (steps: i32) (a: [n][m]f32) : [n][m]f32 = iterate steps step a
