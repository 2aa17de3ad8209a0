-- Lifted abstract types.
module type stream = { type^ t val mk : (i32 -> i32) -> t val at : t -> i32 -> i32 }
module s : stream = { type^ t = i32 -> i32 def mk (f: i32 -> i32) : t = f def at (f: t) (i: i32) = f i }
-- ==
-- input { 4 } output { 9 }
entry main (i: i32) = s.at (s.mk (\x -> x * 2 + 1)) i
