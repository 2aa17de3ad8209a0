-- Bitwise operators and complement.
-- ==
-- input { 12 10 } output { 8 14 6 -13 }
entry main (x: i32) (y: i32) = (x & y, x | y, x ^ y, !x)
