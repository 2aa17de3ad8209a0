-- Has an error of its own.
-- at 6
-- ==
-- error: Cannot apply "." to "true" .invalid type.

def oops = true + 1
