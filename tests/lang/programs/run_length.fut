-- Run-length coding by flags and prefix sums, and its inverse by replicated segments.
-- ==
-- entry: encode
-- input { [5i32, 5i32, 5i32, 2i32, 2i32, 7i32, 5i32] }
-- output { [5i32, 2i32, 7i32, 5i32] [3i64, 2i64, 1i64, 1i64] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i64) }

-- ==
-- entry: decode
-- input { [5i32, 2i32, 7i32, 5i32] [3i64, 2i64, 1i64, 1i64] }
-- output { [5i32, 5i32, 5i32, 2i32, 2i32, 7i32, 5i32] }

def heads [n] 't (eq: t -> t -> bool) (xs: [n]t) : [n]bool =
  map (\i -> i == 0 || !(eq xs[i] xs[i - 1])) (iota n)

entry encode [n] (xs: [n]i32) =
  let flags = heads (==) xs
  let ids = scan (+) 0 (map i64.bool flags)
  let m = if n == 0 then 0 else last ids
  let counts = hist (+) 0 m (map (\i -> i - 1) ids) (replicate n 1i64)
  let values = map (.1) (filter (.0) (zip flags xs)) :> [m]i32
  in (values, counts)

entry decode [n] (vs: [n]i32) (counts: [n]i64) : []i32 =
  let starts = exscan (+) 0 counts
  let total = i64.sum counts
  let marks = hist (+) 0 total starts (replicate n 1i64)
  in map (\i -> vs[i - 1]) (scan (+) 0 marks)
