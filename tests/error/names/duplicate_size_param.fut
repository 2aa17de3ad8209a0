-- A size parameter and a value parameter of one name.
-- at 6
-- ==
-- error: Name "n" also bound at

def f [n] (n: i64) (xs: [n]i32) = n + length xs
