-- A function of Python with a conditional.
-- at 7
-- ==
-- error: a function is defined by "def f

def f(a):
  if a > 0:
    b = 1
  else:
    b = 2
  return b
