-- Assertions.
-- ==
-- input { 3 } output { 3 }
-- input { 30 } error: Assertion is false: .*x > 0 && x < 10
entry main (x: i32) = assert (x > 0 && x < 10) x
