-- A sum type is not determined.
-- at 6
-- ==
-- error: ambiguous.*Must be a sum type with constructors

def f (x: i32) = #only x
