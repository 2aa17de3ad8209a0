-- A function whose result depends on its argument is no argument of map.
-- ==
-- error: scope violation
def f (xs: []i64) = map iota xs
