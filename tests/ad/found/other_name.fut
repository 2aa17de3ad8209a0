-- A branch that consumes an array of the level around by another name: a second derivative wants it
-- as it was before.
-- ==
-- input { [0.6, 0.2] [1.0, 2.0] } output { [true, true] }
-- input { [0.6, 0.2, 0.9] [1.0, 2.0, -1.0] } output { [true, true, true] }
-- input { [0.2, 0.6] [1.0, 2.0] } output { [true, true] }
type sum [k] = #one f64 | #two f64 ([k]f64)
def f [n] (x: [n]f64) : [n]f64 =
  let v =
    if 0.5 < x[0]
    then let w = map (\_ -> f64.tanh x[2 % n]) (replicate n 0.5)
         in if 0.5 < w[0] then (#one 0.5 : sum [n]) else (#two w[0] x : sum [n])
    else (#one 0.5 : sum [n])
  in map (\j -> match v case #one a -> a case #two a b -> a + x[j] * f64.sum b) (iota n)
entry main [n] (x: [n]f64) (d: [n]f64) : [n]bool =
  let a = jvp (\p -> vjp f p d) x d
  let b = vjp (\p -> vjp f p d) x d
  let h = 1e-5
  let at h = vjp f (map2 (\x d -> x + h * d) x d) d
  in map4 (\a b p q -> f64.abs (a - b) < 1e-9 && f64.abs (a - (p - q) / (2 * h)) < 1e-5) a b (at h) (at (-h))
