-- An array of unit values has a length.
-- ==
-- input { 3i64 } output { 3i64 }
entry main (n: i64) = length (replicate n ())
