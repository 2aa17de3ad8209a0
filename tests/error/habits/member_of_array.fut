-- in for a test of membership.
-- at 6
-- ==
-- error: "any \(== x\) xs" tells whether x is among

def f (x: i32) (xs: []i32) = x in xs
