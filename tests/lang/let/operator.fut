-- An operator bound locally.
-- ==
-- input { 3 4 } output { 25 }
entry main (x: i32) (y: i32) = let (<+>) = \a b -> a * a + b * b in x <+> y
