-- Constants in records, tuples and modules are generalised.
-- ==
-- entry: main
-- input { 3i64 } output { [1,2] [true] 0i64 7 2i64 [0f32, 0f32] }
def empties = {a = [], b = ([], [])}
def k = (\x _ -> x)
def none 'a : (#some a | #none) = #none
def comp = \f g x -> g (f x)
module m = { def nil = [] local def hid = [] def pair = (hid, \x -> x) }
module type S = { val nil 'a : [0]a val pair 'a '^b : ([0]a, b -> b) }
module n : S = m
def sizes = {tail = \xs -> xs[1:], zero = replicate 2 0}
def as_f32 (xs: [2]f32) = xs
entry main (x: i64) =
  (empties.a ++ [1i32, 2], empties.b.0 ++ [true], length (n.nil : [0]f32),
   k 7i32 true, comp (+ 1i64) (/ 2) x, as_f32 (replicate 2 0))
