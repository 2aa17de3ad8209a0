-- Payloads of the same and of different types.
type t = #a i32 f64 | #b f64 | #c bool i32 i32
def f (x: t) : f64 =
  match x
  case #a i y -> f64.i32 i + y
  case #b y -> y
  case #c b i j -> if b then f64.i32 i else f64.i32 j
-- ==
-- input { 1 2 3.0 } output { 4.0 3.0 1.0 2.0 }
entry main (i: i32) (j: i32) (y: f64) =
  (f (#a i y), f (#b y), f (#c true i j), f (#c false i j))
