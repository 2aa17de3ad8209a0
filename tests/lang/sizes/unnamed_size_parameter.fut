-- A function of which later sizes depend on a parameter may be given a lambda that does not
-- name it.
-- ==
-- input { [1i64,2i64,3i64] } output { 3i64 2i64 [2i64,3i64,4i64] [8i64,9i64] }
def both 'a [n] (f: (m: i64) -> [m]i64 -> a) (xs: [n]i64) = (f n xs, f 2 [7,8])
def same [n] (f: (m: i64) -> [m]i64 -> [m]i64) (xs: [n]i64) : ([n]i64, [2]i64) =
  (f n xs, f 2 [7,8])
entry main [n] (xs: [n]i64) =
  let (a, b) = both (\_ xs -> length xs) xs
  let (c, d) = same (\(_: i64) xs -> map (+ 1) xs) xs
  in (a, b, c, d)
