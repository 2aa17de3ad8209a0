-- Unique results may not come from one call whose results are not.
-- at 7
-- ==
-- error: aliased to some other component

def pack a = {l = a, r = a}
def f (n: i64) : {l: *[]f32, r: *[]f32} = pack (replicate n 0)
