-- Sizes left anonymous in coercions: parts, records, abbreviations, three dimensions, sums.
-- ==
-- entry: parts
-- input { [[1, 2], [3, 4]] } output { [1, 2] [3, 4] }

-- ==
-- entry: rec
-- input { [1, 2, 3] } output { [2, 4, 6] }

-- ==
-- entry: abbrev
-- input { [[1, 2], [3, 4]] } output { [3, 7] }

-- ==
-- entry: unknown
-- input { [1, 2, 3] } output { [2, 3] }
-- input { [1, 2] } error: shape

-- ==
-- entry: third
-- input { [[[1, 2]]] } output { [[[1, 2]]] }
-- input { [[[1, 2], [3, 4]]] } error: shape

-- ==
-- entry: choose
-- input { true [1, 2] } output { 0i64 }
-- input { false [1, 2] } output { 2i64 }

entry parts [n][m] (x: [n][m]i32) : ([m]i32, [m]i32) =
  let y = x :> [2][]i32
  in (y[0], y[1])

entry rec [n] (xs: [n]i32) =
  let r = {a = xs, b = 1i32} :> {a: []i32, b: i32}
  in map2 (+) xs r.a

type mat [n][m] = [n][m]i32

entry abbrev [n][m] (x: [n][m]i32) : [2]i32 =
  let y = x :> mat [2] []
  let ones : [m]i32 = replicate m 1
  in map (\r -> i32.sum (map2 (*) r ones)) y

entry unknown (xs: []i32) : [2]i32 = filter (> 1) xs :> [2]i32

entry third [a][b][c] (x: [a][b][c]i32) : [a][1][c]i32 = x :> [][1][]i32

type opt 'a = #some a | #none

entry choose (b: bool) (xs: []i32) =
  let r = if b then (#none :> opt ([]i32)) else #some xs
  in match r case #some ys -> length ys case #none -> 0
