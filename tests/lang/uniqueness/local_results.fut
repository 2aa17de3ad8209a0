-- The result of a local function or lambda is new if its body makes it, whatever it reads.
-- ==
-- entry: main lam applied partly capture
-- input { [1i64, 2i64, 3i64] } output { [2i64, 4i64, 6i64] }

-- ==
-- entry: both
-- input { [1i64, 2i64, 3i64] } output { [1i64, 2i64, 3i64] [0i64, 4i64, 6i64] }

-- ==
-- entry: give
-- input { [1i64, 2i64, 3i64] } output { [2i64, 4i64, 6i64] }

-- ==
-- entry: pair
-- input { [1i64, 2i64, 3i64] } output { [9i64, 2i64, 3i64] 6i64 [1i64, 2i64, 3i64] }

-- ==
-- entry: half_new
-- input { [1i64, 2i64, 3i64] } output { [7i64, 2i64, 3i64] [1i64, 2i64, 3i64] }

-- ==
-- entry: operator
-- input { [1i64, 2i64, 3i64] } output { [0i64, 4i64, 6i64] [2i64, 4i64, 6i64] }

-- ==
-- entry: consumed_parameter
-- input { [1i64, 2i64, 3i64] } output { [5i64, 2i64, 8i64] }

entry main (xs: *[]i64) =
  let twice ys = map (* 2) ys
  let xs[:] = twice xs
  in xs

entry lam (xs: *[]i64) =
  let twice = \ys -> map (* 2) ys
  let xs[:] = twice xs
  in xs

entry applied (xs: *[]i64) =
  let xs[:] = (\ys -> map (* 2) ys) xs
  in xs

entry partly (xs: *[]i64) =
  let times k ys = map (* k) ys
  let twice = times 2
  let xs[:] = twice xs
  in xs

entry capture (xs: *[]i64) =
  let twice () = map (* 2) xs
  let ys = twice ()
  let xs[:] = ys
  in xs

entry both (xs: []i64) =
  let twice ys = map (* 2) ys
  let zs = twice xs
  let zs[0] = 0
  in (xs, zs)

entry give (xs: []i64) : *[]i64 =
  let twice ys = map (* 2) ys
  in twice xs

entry pair (xs: []i64) =
  let f ys = (copy ys with [0] = 9, i64.sum ys)
  let (zs, s) = f xs
  in (zs with [1] = 2, s, xs)

-- only the first part of the result is new
entry half_new (xs: []i64) =
  let f ys = (copy ys, ys)
  let (a, b) = f xs
  let a[0] = 7
  in (a, b)

entry operator (xs: []i64) =
  let plus a b = map2 (+) a b
  let s = xs `plus` xs
  let t = (xs `plus`) xs
  let s[0] = 0
  in (s, t)

entry consumed_parameter (xs: []i64) =
  let set (a: *[]i64) i v = a with [i] = v
  let ys = set (copy xs) 0 5
  in ys with [2] = 8
