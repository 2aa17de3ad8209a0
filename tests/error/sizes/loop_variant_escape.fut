-- A size that varies in a loop is required outside.
-- at 8
-- ==
-- error: Loop-variant size has escaped into type that occurs outside of loop

def inc [k] (a: [k]i32) (b: [k + 1]i32) : [k + 1]i32 = concat a [0] :> [k + 1]i32
def f (n: i64) (b: [n + 1]i32) : [n]i32 =
  loop a = replicate n 0 for _i < 3i32 do inc a b
