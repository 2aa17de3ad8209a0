-- Adding the same number n times is a product.
-- structure soac: loop 0
-- ==
-- input { 5i64 } output { 22i64 }
-- input { -1i64 } output { 7i64 }
entry main (n: i64) : i64 = loop s = 7 for _i < n do s + 3
