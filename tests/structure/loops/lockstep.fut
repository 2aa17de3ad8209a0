-- Rows that go through a recurrence with weights that all of them share do so together: there is a map
-- of strips and one of the rows that are left.  So do rows that evaluate functions of what they wrote
-- before (`chain`).  Rows whose loop is a map in disguise, with functions or without, those whose state
-- is a matrix of many rows, and those that branch in the sum stay as they are.
-- structure inline_calls,simplify,map_diff_loops,lockstep,simplify: loop 10, screma 21
-- ==
-- entry: recurrence
-- input { [[1f32, 2f32]] [[0.5f32, 0f32], [0f32, 0.25f32]] 2i64 } output { [[0.25f32, 0.125f32]] }
entry recurrence [n][d] (xs: [n][d]f32) (w: [d][d]f32) (m: i64) : [n][d]f32 =
  map (\x -> loop h = x for _i < m do map (\row -> f32.sum (map2 (*) row h)) w) xs

entry disguised [n][d] (xs: [n][d]f32) (w: [d][d]f32) : [n][d]f32 =
  map (\x -> loop out = replicate d 0 for i < d do
               out with [i] = loop s = 0 for j < d do s + w[i, j] * x[j])
      xs

entry matrices [n][e][d] (xs: [n][e][d]f32) (w: [d][d]f32) (m: i64) : [n][e][d]f32 =
  map (\x -> loop h = x for _i < m do map (\r -> map (\row -> f32.sum (map2 (*) row r)) w) h) xs

entry branches [n][d] (xs: [n][d]f32) (w: [d][d]f32) (m: i64) : [n][d]f32 =
  map (\x -> loop h = x for _i < m do
               map (\row -> loop s = 0 for j < d do if h[j] > s then s + row[j] else s * h[j]) w)
      xs

entry chain [n][d] (xs: [n][d]f32) : [n][d]f32 =
  map (\x -> loop h = copy x for i < d - 1 do h with [i + 1] = f32.exp (-h[i]) + h[i + 1]) xs

entry functions [n][d] (xs: [n][d]f32) : [n][d]f32 =
  map (\x -> loop h = copy x for i < d do h with [i] = f32.exp (-h[i])) xs
