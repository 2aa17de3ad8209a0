-- A module type that requires a submodule.
module type inner = { val x : i32 }
module type outer = { module sub : inner val y : i32 }
module f (o: outer) = { def z = o.sub.x + o.y }
module r = f { module sub = { def x = 3i32 } def y = 4i32 }
-- ==
-- input { } output { 7 }
entry main = r.z
