-- A signature at the top.
-- at 6
-- ==
-- error: types are part of the definition: "def f \(x: f64\) : f64 = \.\.\."; "val" is for module types\.

val f : i32 -> i32
