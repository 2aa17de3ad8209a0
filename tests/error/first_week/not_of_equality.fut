-- not, which takes one argument.
-- at 6
-- ==
-- error: "not" takes the next word as its argument: write "not \(x == y\)", or "x != y"\.

def f (x: i32) (y: i32) = not x == y
