-- A hole is an error when it is reached.
-- ==
-- input { true } output { 1 }
-- input { false } error: hole of type: i32
entry main (b: bool) : i32 = if b then 1 else ???
