-- A type before its variable.
-- at 6
-- ==
-- error: the type follows the name: "let y: f64 = \.\.\."\.

def f (x: f64) = let f64 y = x in y
