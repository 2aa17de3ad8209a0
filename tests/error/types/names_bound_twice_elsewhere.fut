-- The same in abbreviations, in types of local functions, and between existential sizes.
-- at 6 7 10
-- ==
-- error: Name "n" also bound at

type abbreviated = (n: i64) -> i32 -> (n: i64) -> [n]i32
module type sizes = { val f : () -> ?[n][n].([n]i32, [n]i32) }

def local_function (x: i64) =
  let h (f: (n: i64) -> (m: i64) -> (n: i64) -> [m]i64) = f x x x
  in length (h (\_ m _ -> iota m))
