-- Patterns with types, attributes, signs and floats.
-- ==
-- input { -1i8 1.0 97u8 } output { 1 2 3 -1i8 }
-- input { 5i8 -0.0 98u8 } output { 5 1 0 5i8 }
entry main (x: i8) (y: f64) (c: u8) =
  (match x case -1 -> 1 case -128 -> 2 case (k: i8) -> i32.i8 k,
   match y case 0 -> 1i32 case 1.0 -> 2 case #[unused] _ -> 3,
   match c case 'a' -> 3i32 case _ -> 0,
   match (x, ()) case (z: i8, ()) -> z)
