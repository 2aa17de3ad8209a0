-- from ... import
-- at 6
-- ==
-- error: a file is imported by its path

from math import sin
def f (x: f64) = sin x
