-- An existential size that sizes nothing.
-- at 6
-- ==
-- error: Existential size "k" not used as array size

def g (x: ?[k].i32) = 2
