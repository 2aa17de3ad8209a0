-- Inclusion of refined module types.
module type a = {type t val x : t}
module type b = {include a with t = i32 val y : t -> t}
module type c = {type u include {val z : u}}
module m : b = {type t = i32 def x = 1i32 def y = (+ 1i32)}
module n : c with u = i32 = {type u = i32 def z = 5i32}
-- ==
-- input { } output { 7 }
entry main = m.y m.x + n.z
