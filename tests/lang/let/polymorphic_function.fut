-- A local function with explicit type parameters.
-- ==
-- input { 3 true } output { 3 true [1, 1] }
entry main (x: i32) (b: bool) =
  let same 't (y: t) : t = y
  let both [n] 't (ys: [n]t) : [n]i32 = map (\_ -> i32.i64 (n / 2)) ys
  in (same x, same b, both [x, x])
