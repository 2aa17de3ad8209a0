-- A size would appear at the top of a value's type.
-- at 6
-- ==
-- error: Type substitution in "x" results in a top-level size.*make it a function: "val x : \(\) -> \.\.\."

module m : {type~ t val x : t} = {type~ t = []i32 def x : t = [1, 2]}
