-- ^^ for a power.
-- at 6
-- ==
-- error: "x \*\* y" is x to the power of y

def f (x: i32) = x ^^ 2
