-- Updates had an arrow once.
-- at 6 7
-- ==
-- error: Hint: an update is written with "=" now

def f (xs: *[]i32) = xs with [0] <- 1
def g (xs: *[]i32) = let xs[0] <- 1 in xs
