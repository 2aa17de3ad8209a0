-- An underscore for an operand.
-- at 6
-- ==
-- error: "\(> 3\)" is a function of the missing operand

def f (xs: []i32) = filter (_ > 3) xs
