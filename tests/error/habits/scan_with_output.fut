-- A scan that carries a state and gives outputs.
-- at 6
-- ==
-- error: takes two values of one type and gives one of the same type

def f (xs: []f64) : (f64, []f64) = scan (\c x -> (c + x, c)) 0 xs
