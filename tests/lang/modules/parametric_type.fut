-- Abstract types with parameters.
module type box = { type box 'a val put 'a : a -> box a val get 'a : box a -> a }
module b : box = { type box 'a = {v: a} def put 'a (v: a) : box a = {v} def get 'a (x: box a) = x.v }
-- ==
-- input { 3 true } output { 3 true }
entry main (x: i32) (y: bool) = (b.get (b.put x), b.get (b.put y))
