-- An element of an iota is its index.
-- structure soac: iota 0, index 0
-- ==
-- input { 10i64 3i64 } output { 3i64 }
entry main (n: i64) (i: i64) : i64 = (iota n)[i]
