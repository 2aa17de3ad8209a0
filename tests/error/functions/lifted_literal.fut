-- Nor an element of an array.
-- at 6
-- ==
-- error: Type a found to be functional

def f '^a (x: a) = [x, x]
