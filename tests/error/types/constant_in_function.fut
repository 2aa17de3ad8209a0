-- Only definitions at the top and in modules are generalised, no local ones.
-- at 6
-- ==
-- error: Cannot unify

def f (b: bool) = let none = [] in (none ++ [1i32], none ++ [b])
