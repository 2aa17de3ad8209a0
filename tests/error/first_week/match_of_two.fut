-- Two values matched without parentheses.
-- at 6
-- ==
-- error: several values are matched as a tuple: "match \(x, y\) case \.\.\."\.

def f (x: i32) (y: i32) = match x, y case (0, 0) -> 1 case _ -> 2
