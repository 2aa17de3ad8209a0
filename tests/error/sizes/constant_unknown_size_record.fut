-- An unknown size in a record.
-- at 6
-- ==
-- error: size-polymorphic

def r [n] : {a: [n]i32, b: []i32} = {a = replicate n 1, b = filter (> 0) (replicate n 1)}
entry main (x: i32) = x
