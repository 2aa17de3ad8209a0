-- A function of Python with while.
-- at 7
-- ==
-- error: a function is defined by "def f

def f(x):
  while x > 1:
    x = x / 2
  return x
