-- An inner type parameter is forced on an outer type.
-- at 6
-- ==
-- error: scope violation|Cannot unify

def g y = let h 'c (z: c) = if true then z else y in h
