-- What a function gives may be part of what it takes.
-- at 7
-- ==
-- error: Consuming variable "xs".*what is consumed here may share its memory, by another name or as the result of a function whose type has no '\*'

def wrap (xs: []i32) : {a: []i32, n: i32} = {a = xs, n = 1}
def f (xs: []i32) = let r = wrap xs let r.a[0] = 1 in r
