-- Open sizes in branches become those of the others: in records, matrices, nested branches.
-- ==
-- entry: rec
-- input { true [1,2] } output { [2,4] }

-- ==
-- entry: nest
-- input { 2 [1,2] } output { [2,4] }

-- ==
-- entry: sumt
-- input { 1 [1,2] } output { [2,4] }

-- ==
-- entry: hof
-- input { false [1,2] } output { [2,5] }

-- ==
-- entry: mats
-- input { true [[1,2],[3,4]] } output { [[2,4],[6,8]] }
entry rec [n] (b: bool) (xs: [n]i32) =
  let f r = if b then {a = xs} else {a = r.a}
  in map2 (+) xs (f {a = xs}).a
entry nest [n] (k: i32) (xs: [n]i32) =
  let f ys = if k == 0 then ys else if k == 1 then xs else ys
  in map2 (+) xs (f xs)
type t = #a | #b | #c
def blend [n] (k: t) (xs: [n]i32) g h = map2 (+) xs (match k case #a -> g xs case #b -> xs case #c -> h xs)
entry sumt (k: i32) (xs: []i32) = blend (if k == 0 then #a else #b) xs (map (* 2)) (map (+ 1))
def sel [n] (b: bool) (xs: [n]i32) f g = let ys = if b then f xs else g xs in map2 (+) xs ys
entry hof (b: bool) (xs: []i32) = sel b xs (map (* 2)) (scan (+) 0)
entry mats [n][m] (b: bool) (xss: [n][m]i32) =
  let f yss = if b then xss else transpose (transpose yss)
  in map2 (map2 (+)) xss (f xss)
