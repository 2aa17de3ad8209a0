-- A consuming function is given a non-consuming type.
-- at 7
-- ==
-- error: are incompatible regarding consuming their arguments

def eat (v: *[]f32) : f32 = let v[0] = 1 in v[0]
def look : []f32 -> f32 = eat
