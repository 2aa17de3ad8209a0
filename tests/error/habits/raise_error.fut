-- An exception.
-- at 6
-- ==
-- error: "assert \(c\) e" is e, and stops the program

def f (x: f64) = if x < 0 then error "negative" else x
