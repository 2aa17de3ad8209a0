-- [] in the type of a coercion is the size that the value has there.
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [3, 4], [5, 6]] }
-- input { [[1, 2], [3, 4]] } error: cannot match shape
entry rows [n] [m] (xss: [n][m]i32) : [3][m]i32 = xss :> [3][]i32

-- ==
-- entry: same
-- input { [1, 2] [3, 4] } output { [4, 6] }
entry same [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) (xs :> []i32) ys

-- ==
-- entry: inner
-- input { [[1f32, 2f32], [3f32, 4f32]] [1f32, 10f32] } output { [21f32, 43f32] }
entry inner [n] [m] (xss: [n][m]f32) (v: [m]f32) =
  map (\r -> f32.sum (map2 (*) r v)) (xss :> [2][]f32)

-- The unknown size of a filter stays that one.
-- ==
-- entry: unknown
-- input { [1, -1, 2] } output { [2, 4] }
entry unknown (xs: []i32) =
  let ys = filter (> 0) xs
  let zs = ys :> []i32
  in map2 (+) ys zs

-- ==
-- entry: record
-- input { [1, 2] [3] } output { [2, 4] 1i64 }
-- input { [1, 2] [3, 4] } error: cannot match shape
entry record [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let r = {a = xs, b = ys} :> {a: []i32, b: [1]i32}
  in (map2 (+) xs r.a, length r.b)

-- What nothing determines stays open for the other branch.
type cell 'a = #full a | #free

def pick (k: i32) (n: i64) =
  match k
  case 0 -> (#free :> cell ([]f32))
  case _ -> #full (replicate n 1f32)

-- ==
-- entry: constructor
-- input { 0 3i64 } output { 0i64 }
-- input { 1 3i64 } output { 3i64 }
entry constructor k n = match pick k n case #full xs -> length xs case #free -> 0

-- A name of an existential size is as good as none.
-- ==
-- entry: named
-- input { [1, 2] } output { [2, 4] }
entry named [n] (xs: [n]i32) : [n]i32 = map2 (+) xs (xs :> ?[k].[k]i32)

-- ==
-- entry: same_sums
-- input { [1, 2, 3] } output { 3i64 }
entry same_sums [n] (xs: [n]i32) =
  let ys = map (\x -> if x > 1 then #a x else #b) xs
  let zs = ys :> [](#a i32 | #b)
  in length (zip ys zs)
