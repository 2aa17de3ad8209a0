-- Sum for number.
-- at 6
-- ==
-- error: cannot be the sum type #a . #b

def f (x: #a | #b) = x + 1
