-- What the annotation of a local function does not call unique may be its argument.
-- at 8
-- ==
-- error: might alias update value

def f (xs: *[]i64) =
  let twice (ys: []i64) : []i64 = map (* 2) ys
  let xs[:] = twice xs
  in xs
