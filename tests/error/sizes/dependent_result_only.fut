-- A size that only the result has does not come from a parameter of the function it stands for.
-- ==
-- error: scope
def use (f: (k: i64) -> i32 -> [k]i32) = f 2 1
def fill [n] (_: i64) (x: i32) : [n]i32 = replicate n x
entry main (x: i32) = use fill
