-- A size whose name is nearly that of a parameter.
-- at 6
-- ==
-- error: Unknown name "widht".*did you mean "width"

def f [width] (xs: [width]i32) : [widht]i32 = xs
