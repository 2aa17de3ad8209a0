-- Loops whose iterations write rows of their own, and read nothing that an earlier one has written, are
-- maps: of both loops inside of the first, and not of the last.
-- structure inline_calls,simplify,map_loops: loop 2, screma 7
-- ==
-- entry: factors
-- input { [[4f64, 2f64, 1f64], [2f64, 5f64, 3f64], [1f64, 3f64, 6f64]] }
-- output { [[4f64, 2f64, 1f64], [0.5f64, 4f64, 2.5f64], [0.25f64, 0.625f64, 4.1875f64]] }
entry factors [n] (a: [n][n]f64) : [n][n]f64 =
  loop m = copy a for k < n do
    let m =
      loop m for j in k..<n do
        m with [k, j] = m[k, j] - f64.sum (map2 (*) m[k, :k] m[:k, j])
    in loop m for i in k + 1..<n do
         m with [i, k] = (m[i, k] - f64.sum (map2 (*) m[i, :k] m[:k, k])) / m[k, k]

-- ==
-- entry: sums
-- input { [1f64, 2f64, 3f64] } output { [1f64, 3f64, 6f64] }
entry sums [n] (a: [n]f64) : [n]f64 =
  loop s = copy a for i < n do if i > 0 then s with [i] = s[i - 1] + s[i] else s

-- The index is the counter plus a sum.
-- ==
-- entry: beyond
-- input { [1f64, 2f64] [3f64] [0f64, 0f64, 0f64, 0f64] } output { [0f64, 0f64, 0f64, 6f64] }
entry beyond [n][m] (_: [n]f64) (xs: [m]f64) (ys: [n + m + 1]f64) : [n + m + 1]f64 =
  loop ys = copy ys for i < m do ys with [n + i + 1] = 2 * xs[i]
