-- An element of an iota is a number.
-- structure soac: iota 0, screma 0
-- ==
-- input { 10i64 3i64 } output { 3i64 }
entry main (n: i64) (i: i64) : i64 = (iota n)[i]
