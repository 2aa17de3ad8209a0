-- There are no arrays of functions.
-- at 6
-- ==
-- error: functional|function

def f = [(+ 1i32)]
