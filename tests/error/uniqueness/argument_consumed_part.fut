-- A part of an argument is an alias of one that is consumed.
-- at 7
-- ==
-- error: consumed

def f (r: {a: []i64}) (a: *[]i64) = r.a[0] + (a with [0] = 1)[0]
entry main (xs: *[]i64) = f {a = xs[1:]} xs
