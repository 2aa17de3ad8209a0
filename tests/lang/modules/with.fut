-- Making an abstract type concrete.
module type monoid = { type t val zero : t val add : t -> t -> t }
module sum_f64 : (monoid with t = f64) = { type t = f64 def zero = 0f64 def add = (f64.+) }
-- ==
-- input { 1.5 } output { 3.0 }
entry main (x: f64) = sum_f64.add x (sum_f64.add x sum_f64.zero)
