-- Indices of every signed type.
-- ==
-- input { [10, 20, 30] } output { 20 30 10 20 }
entry main (xs: []i32) = (xs[1i8], xs[2i16], xs[0i32], xs[1])
