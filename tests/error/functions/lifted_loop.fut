-- Nor can it be a loop parameter.
-- at 6
-- ==
-- error: a loop parameter may not be of function type

def f '^a (n: i32) (x: a) = loop y = x for _i < n do y
