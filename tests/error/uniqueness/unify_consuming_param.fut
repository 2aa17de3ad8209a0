-- A consuming function is passed where a non-consuming one is expected.
-- at 8
-- ==
-- error: are incompatible regarding consuming their arguments

def kill (v: *[]i32) : i32 = let v[0] = 1 in v[0]
def ap (f: []i32 -> i32) (v: []i32) : i32 = f v
def g (v: *[]i32) = ap kill v
