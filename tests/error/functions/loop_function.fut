-- A loop parameter may not be a function.
-- at 6
-- ==
-- error: but a loop parameter may not be of function type

def f (n: i32) = loop g = (+ 1i32) for _i < n do (\x -> g (g x))
