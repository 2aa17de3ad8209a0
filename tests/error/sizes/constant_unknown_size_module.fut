-- An unknown size in a module.
-- at 6
-- ==
-- error: size-polymorphic

module m = { def p [n] : ([n]i64, []i64) = partition (> 2) (iota n) |> \(a, _) -> (iota n, a) }
entry main (x: i32) = x
