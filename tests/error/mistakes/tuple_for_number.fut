-- Tuple for number.
-- at 7
-- ==
-- error: Cannot apply "add" to "1" .*"add" takes a tuple: add \(1, 2\)

def add (x: f64, y: f64) = x + y
def g = add 1 2
