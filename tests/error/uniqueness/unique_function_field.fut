-- A partial application that gives its argument, as a field with a unique result.
-- at 8
-- ==
-- error:

type^ t = {f: i64 -> *[]i64}
def id (xs: []i64) (_: i64) = xs
def mk (xs: []i64) : t = {f = id xs}
entry main (xs: []i64) = (mk xs).f 0
