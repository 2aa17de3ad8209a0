-- A hole.
-- ==
-- input { true } output { 1 }
-- warning: Hole of type: i32
entry main (b: bool) : i32 = if b then 1 else ???
