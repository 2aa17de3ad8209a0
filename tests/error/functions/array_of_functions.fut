-- There are no arrays of functions.
-- at 6
-- ==
-- error: Type i32 -> i32 found to be functional

def f = [(+ 1i32)]
