-- A name bound by a function type, as a parameter or an existential size, is not bound again in it.
-- at 6 7 8 9
-- ==
-- error: Name "n" also bound at

module type t = { val f : (n: i64) -> (n: i64) -> [n]i32 }
def apart (f: (n: i64) -> bool -> (n: i64) -> i64) = f 1 true 2
def inside (f: (n: i64) -> ((n: i64) -> [n]i32) -> i64) = f 1
def exists (f: (n: i64) -> ?[n].[n]i32) = f 1
