-- Comparing arrays.
-- ==
-- input { [1] [1] } output { true }
-- warning: Comparing arrays with "==" is deprecated
entry main [n] (a: [n]i32) (b: [n]i32) = a == b
