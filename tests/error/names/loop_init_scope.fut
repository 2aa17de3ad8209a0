-- The names of a loop's pattern are not in scope in the initial value.
-- at 6
-- ==
-- error: Unknown name "y"

def f (n: i32) = loop y = y for _i < n do y + 1
