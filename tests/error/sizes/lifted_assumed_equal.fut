-- A function that needs the sizes of two occurrences to be equal, which they are not.
-- at 8
-- ==
-- error: do not match

def use '~a (f: i64 -> a) (g: (() -> a) -> (() -> a) -> i64) = g (\() -> f 1) (\() -> f 2)

entry main = use iota (\p q -> length (zip (p ()) (q ())))
