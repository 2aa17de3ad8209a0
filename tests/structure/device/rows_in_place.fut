-- Rows that threads build in place: the results are column-major first, and row-major copies of
-- them follow, but for those that the next kernel reads by rows.
-- structure soac,gpu: copy 6, rearrange 5, scratch 7
-- depth soac,gpu: rearrange 0
-- ==
-- entry: running
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[1f64, 2.5f64, 4.25f64], [4f64, 7f64, 9.5f64]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }

-- ==
-- entry: squares
-- input { [[[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]]] }
-- output { [[[[2f64, 3f64], [3f64, 6f64]], [[10f64, 13f64], [13f64, 26f64]], [[26f64, 31f64], [31f64, 62f64]]]] }

-- ==
-- entry: both
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[3f64, -0.5f64, -1.25f64], [6f64, -2f64, -5f64]] [-0.375f64, -3.375f64] }

-- ==
-- entry: once
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[1f64, 2.5f64, 4.25f64], [4f64, 7f64, 9.5f64]] }
entry running [n][m] (xs: [n][m]f64) : [n][m]f64 =
  map (\row -> loop r = copy row for i < m - 1 do r with [i + 1] = r[i] * 0.5 + r[i + 1]) xs

-- Threads in two dimensions, and two dimensions of rows.
entry squares [n][k][m] (xs: [n][k][m]f64) : [n][k][m][m]f64 =
  map (map (\row ->
              loop a = replicate m (replicate m 0) for i < m do
                loop a for j < m do
                  let before = if i == 0 || j == 0 then 1 else a[i - 1, j - 1]
                  in a with [i, j] = before + row[i] * row[j]))
      xs

-- A scan over columns keeps the kernels apart.
entry both [n][m] (xs: [n][m]f64) : ([n][m]f64, [n]f64) =
  let rows = map (\row -> loop r = copy (reverse row) for i < m - 1 do r with [i + 1] = r[i] * 0.5 - r[i + 1]) xs
  let before = scan (+) 0 (map (\r -> r[0]) rows)
  in (rows, map2 (\r b -> loop s = b for i < m do s * 0.5 + r[i]) rows before)

-- Elements that are accessed once go where they belong.
entry once [n][m] (xs: [n][m]f64) : [n][m]f64 =
  map (\row -> #[sequential] scan (\a b -> a * 0.5 + b) 0 row) xs
