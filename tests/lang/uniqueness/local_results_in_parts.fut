-- Results of local functions that make new arrays: in records, through pipes, partly applied.
-- ==
-- entry: inrec
-- input { [1i64,2i64] } output { [2i64,4i64] [1i64,2i64] }

-- ==
-- entry: viapipe
-- input { [1i64,2i64] } output { [3i64,5i64] }

-- ==
-- entry: curried
-- input { [1i64,2i64] } output { [4i64,5i64] }

-- ==
-- entry: nestedfun
-- input { [1i64,2i64] } output { [0i64,4i64] [1i64,2i64] }

-- ==
-- entry: cond
-- input { [1i64,2i64] true } output { [0i64,4i64] }

-- ==
-- entry: matrix
-- input { [[1i64,2i64],[3i64,4i64]] } output { [[3i64,4i64],[1i64,2i64]] }
entry inrec (xs: []i64) =
  let f ys = {a = map (* 2) ys, b = ys}
  let r = f xs
  in (r.a with [0] = 2, r.b)
entry viapipe (xs: *[]i64) =
  let f ys = ys |> map (* 2) |> map (+ 1)
  let xs[:] = xs |> f
  in xs
entry curried (xs: *[]i64) =
  let add k ys = map (+ k) ys
  let g = add 3
  let xs[:] = g xs
  in xs
entry nestedfun (xs: []i64) =
  let f ys = let g zs = map (* 2) zs in g ys
  let r = f xs
  let r[0] = 0
  in (r, xs)
entry cond (xs: []i64) (b: bool) =
  let f ys = if b then map (* 2) ys else copy ys
  let r = f xs
  in r with [0] = 0
entry matrix (xs: *[2][2]i64) =
  let swap (ys: [2][2]i64) = [copy ys[1], copy ys[0]]
  let xs[:] = swap xs
  in xs
