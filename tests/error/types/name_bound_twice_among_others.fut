-- A name in the type of a parameter that is a function counts, whatever else is bound in between.
-- at 7
-- ==
-- error: Name "k" also bound at

def apply (n: i64)
          (f: (k: i64) -> (m: i64) -> ((k: i64) -> i32) -> [m]i32) : []i32 = f n 2 (\k -> i32.i64 k)
