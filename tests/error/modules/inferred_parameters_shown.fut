-- Parameters that were inferred have the names in the list that they have in the type.
-- at 7
-- ==
-- error: val pick \[n\] : \[n\]i32 -> \[n\]i32 -> \*\[n\]bool.*

module type s = { val pick [n] : [n]i64 -> [n]i64 -> [n]bool val const '^a : a -> i32 }
module m : s = { def pick = map2 (\(x: i32) (y: i32) -> x == y) def const _ = 1i32 }
