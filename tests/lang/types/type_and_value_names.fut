-- Types and values have separate names.
type t = i32
def t : t = 3
-- ==
-- input { } output { 3 }
entry main = t
