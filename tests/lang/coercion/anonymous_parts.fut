-- A size left open in a coercion is that of the value, in all kinds of types.
-- ==
-- entry: rec
-- input { [[1,2],[3,4]] } output { [[1,2],[3,4]] }

-- ==
-- entry: inmap
-- input { [[1,2],[3,4]] } output { [3,7] }

-- ==
-- entry: sumc
-- input { [1,2] } output { 2i64 }

-- ==
-- entry: tup
-- input { [1,2] [3i64] } output { [1,2] [3i64] }

-- ==
-- entry: viaabbr
-- input { [[1,2],[3,4]] } output { [[1,2],[3,4]] }
def id [n][m] (x: [n][m]i32) : [n][m]i32 = (x :> [n][]i32)
entry rec [n][m] (xss: [n][m]i32) = id ({a = xss} :> {a: [][]i32}).a
entry inmap [n][m] (xss: [n][m]i32) = map (\r -> i32.sum (r :> []i32)) (xss :> [][m]i32)
type mat [n][m] = [n][m]i32
def k [n][m] (x: mat [n] [m]) : mat [n] [m] = x :> mat [] []
entry viaabbr [n][m] (xss: [n][m]i32) = k xss
type o [n] = #a ([n]i32) | #b
def sz [n] (x: o [n]) : i64 = match (x :> o []) case #a y -> length (y :> [n]i32) case #b -> 0
entry sumc [n] (xs: [n]i32) = sz (#a xs : o [n])
entry tup [n][m] (xs: [n]i32) (ys: [m]i64) : ([n]i32, [m]i64) = (xs, ys) :> ([]i32, []i64)
