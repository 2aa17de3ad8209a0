-- A consuming function does not stand for another.
-- ==
-- error: are incompatible regarding consuming their arguments
def kill (v: *[]i32) : i32 = v[0]
def ap [n] (f: [n]i32 -> i32) (v: [n]i32) = f v
def g (v: []i32) = ap kill v
