-- A functor that takes a functor.
module type val_t = { val x : i32 }
module twice (f: (m: val_t) -> val_t) (m: val_t) = f (f m)
module dbl (m: val_t) = { def x = m.x * 2 }
module r = twice dbl { def x = 5i32 }
-- ==
-- input { } output { 20 }
entry main = r.x
