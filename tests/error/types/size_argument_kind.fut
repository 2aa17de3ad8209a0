-- A type where a size is needed.
-- at 7
-- ==
-- error: Type argument i32 not valid for a size parameter "n"

type t [n] = [n]i32
def f (x: t i32) = x
