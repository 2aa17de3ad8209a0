-- A size that is still open becomes that of the other branch.
def blend [n] (b: bool) (xs: [n]i32) f =
  let ys = if b then xs else f xs
  in map2 (+) xs ys

-- ==
-- entry: function
-- input { true [1, 2] } output { [2, 4] }
-- input { false [1, 2] } output { [3, 6] }
entry function b (xs: []i32) = blend b xs (map (* 2))

def blend_pair [n] (b: bool) (xs: [n]i32) f =
  let (c, ys) = if b then (1i32, xs) else f xs
  in map2 (+) xs (map (+ c) ys)

-- ==
-- entry: pair
-- input { false [1, 2] } output { [5, 7] }
entry pair b (xs: []i32) = blend_pair b xs (\ys -> (2, map (+ 1) ys))

-- ==
-- entry: lambda
-- input { true [1, 2] } output { [2, 4] }
entry lambda [n] (b: bool) (xs: [n]i32) =
  let f = \ys -> if b then xs else ys
  in map2 (+) xs (f xs)

def blend_cases [n] (k: i32) (xs: [n]i32) f g =
  let ys = match k case 0 -> f xs case 1 -> xs case _ -> g xs
  in map2 (+) xs ys

-- ==
-- entry: cases
-- input { 0 [1, 2] } output { [3, 6] }
-- input { 1 [1, 2] } output { [2, 4] }
-- input { 2 [1, 2] } output { [2, 3] }
entry cases k (xs: []i32) = blend_cases k xs (map (* 2)) (map (\_ -> 1))

-- Two open ones become the same.
def either b xs ys = if b then xs else ys

-- ==
-- entry: two
-- input { true [1, 2] [3, 4] } output { [4, 6] }
entry two [n] (b: bool) (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) ys (either b xs ys)

-- Sizes that an annotation leaves open are each their own.
def written (b: bool) (xs: []i32) (ys: []i32) = if b then xs else ys

-- ==
-- entry: own
-- input { true } output { 1i64 }
-- input { false } output { 2i64 }
entry own (b: bool) = length (written b [1] [2, 3])

-- So are those of the parameters of loops.
-- ==
-- entry: looped
-- input { 2i64 } output { [0i64, 0i64, 0i64, 0i64] }
entry looped (n: i64) =
  loop xs = replicate n 0i64 for i < n do if i == 1 then xs else xs ++ xs
