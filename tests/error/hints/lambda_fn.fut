-- A function without a name, with a word.
-- at 6
-- ==
-- error: an anonymous function is written

def f (xs: []i32) = map (fn x -> x + 1) xs
