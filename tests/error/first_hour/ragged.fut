-- Rows of different lengths.
-- at 6
-- ==
-- error: the elements of an array have one size; pad shorter rows, or keep all rows in one

def f = [[1, 2], [3]]
