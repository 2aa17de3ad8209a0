-- ~ for the complement.
-- at 6
-- ==
-- error: "!x" inverts the bits

def f (x: i32) = ~x
