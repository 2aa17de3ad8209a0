-- A module type hides the size of a result.
-- at 7
-- ==
-- error: Sizes "3" and ".*" do not match

module m : {val f : (n: i64) -> []i32} = {def f (n: i64) = replicate n 0i32}
def xs : [3]i32 = m.f 3
