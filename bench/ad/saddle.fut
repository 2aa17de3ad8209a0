-- A saddle point: the least over x of the greatest over y, both by gradient descent, the outer one
-- through the inner.
import "descent"

def f (x: [2]f64) (y: [2]f64) : f64 = sum_squares x - sum_squares y

def saddle outer inner (start: [2]f64) : [4]f64 =
  let best x = argmin inner (\y -> -(f x y)) start
  let x = argmin outer (\x -> f x (best x)) start
  in x ++ best x :> [4]f64

entry ff (start: [2]f64) : [4]f64 = saddle gradient_f gradient_f start
entry fr (start: [2]f64) : [4]f64 = saddle gradient_f gradient_r start
entry rf (start: [2]f64) : [4]f64 = saddle gradient_r gradient_f start
entry rr (start: [2]f64) : [4]f64 = saddle gradient_r gradient_r start
