-- Two type parameters are never the same.
-- at 6
-- ==
-- error: Array element does not have the type of the elements before it.*Cannot unify a with b

def f 'a 'b (x: a) (y: b) = [x, y]
