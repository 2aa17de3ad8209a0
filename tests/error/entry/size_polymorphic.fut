-- A size parameter free in the result only.
-- at 6
-- ==
-- error: Entry point functions must not be size-polymorphic in their return type

entry g [k] : [0][k]bool = []
