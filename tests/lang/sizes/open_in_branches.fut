-- Open sizes that branches determine: nested, in records, of rows, of operators.
-- ==
-- entry: main
-- input { true [1, 2] } output { [2, 4] }

-- ==
-- entry: nest
-- input { 1 [1, 2] } output { [3, 6] }
-- input { 7 [1, 2] } output { [5, 10] }

-- ==
-- entry: rec
-- input { false [1, 2] } output { [2, 4] [1, 2] }

-- ==
-- entry: two
-- input { true [1, 2] } output { 2i64 }

-- ==
-- entry: rows
-- input { true [[1, 2], [3, 4]] } output { [[2, 4], [6, 8]] }

-- ==
-- entry: operator
-- input { false [1, 2] [3, 4] } output { [4, 6] }

def pick [n] f b (xs: [n]i32) = map2 (+) xs (if b then f xs else xs)
entry main b (xs: []i32) = pick (\ys -> ys) b xs

def nestd [n] f g k (xs: [n]i32) =
  let ys = match k case 0 -> xs case 1 -> f xs case _ -> (if k > 5 then g xs else f xs)
  in map2 (+) xs ys
entry nest (k: i32) (xs: []i32) = nestd (map (* 2)) (map (* 4)) k xs

def recd [n] f b (xs: [n]i32) =
  let r = if b then {a = xs, b = xs} else {a = f xs, b = xs}
  in (map2 (+) xs r.a, r.b)
entry rec b (xs: []i32) = recd (\x -> x) b xs

def twod f b (xs: []i32) = if b then f xs else f (map (+ 1) xs)
entry two b (xs: []i32) = length (twod (\ys -> copy ys) b xs)

def rowsd [n][m] f b (xs: [n][m]i32) =
  let ys = if b then xs else f xs
  in map2 (map2 (+)) xs ys
entry rows b (xs: [][]i32) = rowsd (map (map (+ 1))) b xs

def opd [n] (op: [n]i32 -> [n]i32 -> [n]i32) b (xs: [n]i32) (ys: [n]i32) = if b then xs else op xs ys
entry operator [n] b (xs: [n]i32) (ys: [n]i32) : [n]i32 = opd (\as bs -> map2 (+) as bs) b xs ys
