-- The function would have to take arrays of any size.
-- at 8
-- ==
-- error: Cannot apply "iter" to .*

def iter '~a (f: a -> a) (x: a) : a = f (f x)

entry main (xs: []i32) = iter (\ys -> filter (> 0) ys) xs
