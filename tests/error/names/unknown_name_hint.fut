-- A misspelled name is suggested.
-- at 6
-- ==
-- error: Unknown name "lenght".*length

def f (xs: []i32) = lenght xs
