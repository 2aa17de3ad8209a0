-- Threads that add along the rows of an array, neighbours to neighbouring rows: in shared memory
-- these are columns.
-- depth soac,gpu: rearrange 1
-- ==
-- entry: main
-- input { 2000i64 [[1f64, 2f64, 3f64], [0.5f64, 0.25f64, 0.125f64]] }
-- output { [[-646.2255401631838f64, -349.23194937342737f64, -1193.7945435980407f64], [34.58227887205208f64, 72.82012573837613f64, 146.06451409978445f64]] }
entry main [t][l] (n: i64) (rows: [t][l]f64) : [t][l]f64 =
  let f x (row: [l]f64) = loop s = x for j < l do f64.sin (s * row[j])
  in vjp (\rows ->
            f64.sum (map (\i -> f64.sum (map (f (f64.i64 (i % 5 + 1) / 5)) rows)) (iota n))) rows 1
