-- A sum type on the way.
type t = #square f64 | #double f64
-- ==
-- input { 3.0 true } output { 6.0 }
-- input { 3.0 false } output { 2.0 }
entry main (x: f64) (b: bool) =
  let f y = let v : t = if b then #square y else #double y
            in match v case #square z -> z * z case #double z -> 2 * z
  in vjp f x 1
