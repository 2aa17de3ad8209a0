-- Functional parameters of local functions, given functions whose results have sizes of their own.
-- ==
-- entry: one
-- input { 3i64 } output { 3i64 }

-- ==
-- entry: mixed
-- input { [1i64,2i64,3i64] 2i64 } output { [2i64,4i64,6i64] [0i64,1i64] }

-- ==
-- entry: twice
-- input { 2i64 } output { [0i64,1i64] [0i64,1i64,2i64] }

-- ==
-- entry: pipe
-- input { 2i64 3i64 } output { [[0i64,1i64,2i64],[3i64,4i64,5i64]] }

-- ==
-- entry: lam
-- input { 4i64 } output { [1i64,3i64] }

-- ==
-- entry: rec
-- input { 2i64 } output { [0i64,1i64] 5i64 }

-- ==
-- entry: nested
-- input { 2i64 } output { [0i64,1i64,2i64] }

-- ==
-- entry: part
-- input { [1i64,2i64] 3i64 } output { [2i64,4i64] 3i64 }

-- ==
-- entry: inloop
-- input { 3i64 } output { 6i64 }

-- ==
-- entry: ho2
-- input { 3i64 } output { [0i64,1i64,2i64] [5i64, 5i64] }

entry one (n: i64) =
  let count f = length (f n)
  in count iota

entry mixed [m] (xs: [m]i64) (n: i64) =
  let at f = f n
  in (map2 (+) xs (at (\_ -> xs)), at iota)

entry twice (n: i64) =
  let both f = (f n, f (n + 1))
  in both iota

def grid (w: i64) (h: i64) = tabulate_2d w h (\i j -> i * h + j)

entry pipe (w: i64) (h: i64) =
  let at f = f w h
  in grid |> at

entry lam (n: i64) =
  let at f = map (+ 1) (f n)
  in at (\k -> filter (\x -> x % 2 == 0) (iota k))

entry rec (n: i64) =
  let run r = (r.make n, r.get 4)
  in run {make = iota, get = (+ 1i64)}

entry nested (n: i64) =
  let outer f =
    let inner g = g (n + 1)
    in inner f
  in outer iota

entry part [m] (xs: [m]i64) (n: i64) =
  let at f = let (a, b) = f n in (map2 (+) xs a, length b)
  in at (\k -> (xs, iota k))

entry inloop (n: i64) =
  let len f i = length (f i)
  in loop s = 0 for i < n + 1 do s + len iota i

entry ho2 (n: i64) =
  let ap f x = f x
  in (ap iota n, replicate 2 5i64)
