-- Arguments of types that would make arrays of functions, or are not what an abstract type takes.
-- at 8 10 11 12
-- ==
-- error: Type .* found to be functional

module m : {type t 'a} = {type t 'a = [2]a}
type arr 'a = [2]a
def array (_: arr (i32 -> i32)) = 1i32
type^ fun = i32 -> i32
def name (_: arr fun) = 1i32
def abstract (_: m.t (i32 -> i32)) = 1i32
def param '^a (_: (i32, arr a)) = 1i32
def fine (p: (i32 -> i32, i32)) = p.0 p.1
