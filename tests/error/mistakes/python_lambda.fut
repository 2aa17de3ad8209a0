-- Python lambda.
-- at 6
-- ==
-- error: an anonymous function is written "\\x -> ..."

def f xs = map (lambda x: x + 1) xs
