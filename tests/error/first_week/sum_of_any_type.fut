-- A sum of any type.
-- at 6
-- ==
-- error: "a" may be any type, so it has no operators; name a type such as f64, or take the operation as a parameter\.

def f 'a [n] (xs: [n]a) = reduce (+) 0 xs
