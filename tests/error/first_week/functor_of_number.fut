-- A number for a module.
-- at 8
-- ==
-- error: a parametric module is applied to a module: "mk \{def x = 3\}"\.

module type t = { val a : i32 }
module mk (X: t) = { def b = X.a + 1 }
module z = mk 3
