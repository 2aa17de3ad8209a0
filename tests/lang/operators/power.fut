-- Powers of integers.
-- ==
-- input { 3 40 } output { 689956897 }
-- input { 0 0 } output { 1 }
-- input { 2 -1 } error: negative exponent
entry main (x: i32) (y: i32) = x ** y

-- ==
-- entry: small
-- input { } output { -128i8 }
entry small = 2i8 ** 7

-- ==
-- entry: floats
-- input { 2.0 0.5 } output { 1.4142135623730951 }
entry floats (x: f64) (y: f64) = x ** y
