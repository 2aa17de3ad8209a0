-- Loops around loops around updates.
-- ==
-- input { [[1, 2], [3, 4]] } output { [[1, 3], [2, 4]] }
entry main [n] (m: *[n][n]i32) : *[n][n]i32 =
  loop m for i < n do
    loop m for j < i do
      let t = m[i, j]
      let m[i, j] = m[j, i]
      in m with [j, i] = t
