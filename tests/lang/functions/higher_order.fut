-- Functions as arguments and results.
def twice 'a (f: a -> a) (x: a) = f (f x)
def compose 'a 'b 'c (f: b -> c) (g: a -> b) : a -> c = \x -> f (g x)
-- ==
-- input { 3 } output { 5 16 [3, 4] }
entry main (x: i32) =
  (twice (+ 1) x, compose (* 2) (+ 5) x, map (twice (+ 1)) [1, 2])
