-- Attributes on patterns and declarations.
-- ==
-- input { 3 } output { 4 }
entry main (#[true_dep] x: i32) : i32 = let #[foo] y = x + 1 in y
