-- A member of a module that is not applied yet.
-- at 8
-- ==
-- error: apply it to a module first: "module m = mk some_module"; then use m\.

module type t = { val a : i32 }
module mk (X: t) = { def b = X.a + 1 }
def f = mk.b
