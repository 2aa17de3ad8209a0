-- A definition sees itself, not the function of the prelude that has its name.
-- at 6
-- ==
-- error: Note: here "reduce" is the function that is being defined

def reduce [n] (xs: [n]i32) : i32 = reduce (+) 0 xs
