-- A constant for each size cannot have one that is unknown.
-- ==
-- error: size-polymorphic
def both [n] : ([n]i32, []i32) = let xs = replicate n 1 in (xs, filter (> 0) xs)
