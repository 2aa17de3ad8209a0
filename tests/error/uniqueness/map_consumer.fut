-- Neither does map.
-- at 7
-- ==
-- error: are incompatible regarding consuming their arguments

def kill (v: *[]i32) = v[0]
def f (v: *[][]i32) = map kill v
