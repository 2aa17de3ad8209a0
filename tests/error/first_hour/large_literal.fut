-- A literal that is too large for its type.
-- at 6
-- ==
-- error: a suffix gives it another type: "3000000000i64"\.

def f = 3000000000
