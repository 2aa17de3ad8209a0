-- Names of primitive types can be shadowed.
type i32 = f64
-- ==
-- input { 1.5 } output { 3.0 }
entry main (x: i32) = x + x
