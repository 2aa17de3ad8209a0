-- Integers are differentiated formally.
-- ==
-- input { 3 } output { 6 6 }
entry main (x: i32) = (vjp (\a -> a * a) x 1, jvp (\a -> a * a) x 1)
