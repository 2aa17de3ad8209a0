-- Python lambda.
-- at 6
-- ==
-- error: a function without a name is written "\\x -> ..."

def f xs = map (lambda x: x + 1) xs
