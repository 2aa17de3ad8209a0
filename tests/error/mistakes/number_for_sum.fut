-- Number for sum.
-- at 7
-- ==
-- error: Cannot unify a number with a sum type.*cannot be the sum type #a . #b

def f (x: #a | #b) = x
def g = f 1
