-- An entry point without parameters.
-- ==
-- input { } output { 42 }
entry main : i32 = 42
