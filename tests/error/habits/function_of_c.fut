-- A function of C.
-- at 6
-- ==
-- error: a function is defined by "def f

double f(double x) { return x + 1.0; }
