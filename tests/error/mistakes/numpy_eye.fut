-- The identity matrix.
-- at 6
-- ==
-- error: the identity matrix is "tabulate_2d

def f = eye 3
