-- A function at all indices.
-- ==
-- input { 3i64 } output { [0i64, 2i64, 4i64] }
entry main (n: i64) = tabulate n (* 2)

-- ==
-- entry: two
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] }
entry two (n: i64) (m: i64) = tabulate_2d n m (\i j -> i * 10 + j)

-- ==
-- entry: three
-- input { 1i64 2i64 2i64 } output { [[[0i64, 1i64], [10i64, 11i64]]] }
entry three (n: i64) (m: i64) (o: i64) = tabulate_3d n m o (\i j k -> i * 100 + j * 10 + k)
