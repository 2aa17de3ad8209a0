-- An argument that is consumed is no other argument as well.
-- at 7
-- ==
-- error: is consumed, but another argument of the same application may alias it

def put (dst: *[]i64) (src: []i64) : *[]i64 = loop d = dst for x in src do d with [0] = d[0] + x
def f (xs: *[]i64) = put xs xs
