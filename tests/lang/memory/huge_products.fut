-- Numbers of elements that do not fit an i64 are not taken for small ones.
-- ==
-- entry: filled
-- input { 4294967296i64 4294967296i64 } error:
-- input { 4611686018427387904i64 4i64 } error:
-- input { 4i64 4611686018427387904i64 } error:
-- input { 2i64 3i64 } output { [0i64, 0, 0] }
entry filled (n: i64) (m: i64) : []i64 = (replicate n (replicate m 0i64))[0]

-- ==
-- entry: mapped
-- input { 4294967296i64 4294967296i64 } error:
-- input { 4i64 4611686018427387904i64 } error:
-- input { 2i64 3i64 } output { [1i64, 2, 3] }
entry mapped (n: i64) (m: i64) : []i64 = (map (\i -> iota m |> map (+ i)) (iota n))[1]
