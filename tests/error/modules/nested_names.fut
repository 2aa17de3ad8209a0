-- What does not fit in a submodule is named by its path, however deep.
-- at 7 8 9
-- ==
-- error: (val|type|named) "?outer\.deep\.(x|t|y)

module type s = {module outer : {module deep : {type t val x : t val y : t}}}
module a : s with outer.deep.t = i32 = {module outer = {module deep = {type t = i32 def x = true def y = 1i32}}}
module b : s with outer.deep.t = i32 = {module outer = {module deep = {type t = bool def x = true def y = true}}}
module c : s with outer.deep.t = i32 = {module outer = {module deep = {type t = i32 def x = 1i32}}}
