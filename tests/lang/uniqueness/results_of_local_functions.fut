-- Results of local functions that are new arrays alias nothing: in tuples, nested, polymorphic, in loops.
-- ==
-- entry: tuple
-- input { [1i64, 2i64] } output { [9i64, 2i64] [1i64, 2i64] }

-- ==
-- entry: nested
-- input { [1i64, 2i64] } output { [0i64, 4i64] }

-- ==
-- entry: recs
-- input { [1i64, 2i64] } output { [0i64, 3i64] [1i64, 2i64] }

-- ==
-- entry: poly
-- input { [1i64, 2i64] } output { [7i64, 2i64] [1i64, 2i64] }

-- ==
-- entry: captured
-- input { [1i64, 2i64] [3i64, 4i64] } output { [0i64, 6i64] [3i64, 4i64] }

-- ==
-- entry: in_loop
-- input { [1i64, 2i64] } output { [4i64, 8i64] }

-- ==
-- entry: cond
-- input { true [1i64, 2i64] } output { [5i64, 4i64] }

-- ==
-- entry: consuming
-- input { [1i64, 2i64] } output { [10i64, 20i64] }

-- ==
-- entry: arg
-- input { [1i64, 2i64] } output { [3i64, 4i64] [1i64, 2i64] }

entry tuple (xs: []i64) =
  let f ys = (copy ys, length ys)
  let (zs, _) = f xs
  let zs[0] = 9
  in (zs, xs)

entry nested (xs: []i64) : *[]i64 =
  let f ys =
    let g zs = map (* 2) zs
    in g ys
  let r = f xs
  in r with [0] = 0

entry recs (xs: []i64) =
  let mk ys = {a = map (+ 1) ys, b = ys}
  let r = mk xs
  let q = r.a
  let q[0] = 0
  in (q, xs)

entry poly (xs: []i64) =
  let dup 'a (ys: []a) = map (\y -> y) ys
  let zs = dup xs
  let zs[0] = 7
  in (zs, xs)

entry captured (xs: []i64) (ys: []i64) =
  let add = \k -> map (+ k) ys
  let r = add 2
  let r[0] = 0
  in (r, ys)

entry in_loop (xs: *[]i64) =
  let dbl ys = map (* 2) ys
  in loop xs for _i < 2i32 do
    let xs[:] = dbl xs
    in xs

entry cond (b: bool) (xs: []i64) =
  let f ys = if b then map (* 2) ys else map (* 3) ys
  let r = f xs
  in r with [0] = 5

entry consuming (xs: *[]i64) =
  let f (ys: *[]i64) = ys with [0] = 10
  let r = f xs
  in r with [1] = 20

entry arg (xs: []i64) =
  let app f = f xs
  let r = app (map (+ 2))
  in (r, xs)
