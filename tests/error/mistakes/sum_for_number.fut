-- Sum for number.
-- at 6
-- ==
-- error: with sum type #a . #b

def f (x: #a | #b) = x + 1
