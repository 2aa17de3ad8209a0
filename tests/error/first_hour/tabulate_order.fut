-- The number of elements last.
-- at 6
-- ==
-- error: the number of elements comes first: "tabulate n \(\\i -> i\)"\.

def f (n: i64) = tabulate (\i -> i) n
