-- An inner type parameter is forced on an outer type.
-- at 6
-- ==
-- error: Cannot unify type c with "a" .scope violation.

def g y = let h 'c (z: c) = if true then z else y in h
