-- What particle and saddle share: gradients by either mode, and gradient descent.
def sum_squares [n] (x: [n]f64) : f64 = f64.sum (map (\a -> a * a) x)
def distance [n] (x: [n]f64) (y: [n]f64) : f64 = f64.sqrt (sum_squares (map2 (-) x y))

def gradient_f [n] (f: [n]f64 -> f64) (x: [n]f64) : [n]f64 =
  tabulate n (\i -> jvp f x (tabulate n (\j -> f64.bool (i == j))))

def gradient_r [n] (f: [n]f64 -> f64) (x: [n]f64) : [n]f64 = vjp f x 1

-- Where f is least near the start: steps along the gradient, longer after ten successes, shorter
-- after a failure, until the gradient or the step is tiny.
def argmin [n] (gradient: ([n]f64 -> f64) -> [n]f64 -> [n]f64) (f: [n]f64 -> f64) (start: [n]f64)
          : [n]f64 =
  let tiny = 1e-5
  let (x, _, _, _, _, _) =
    loop (x, fx, g, eta, successes, going) =
      (start, f start, gradient f start, 1e-5, 0i32, true)
    while going do
      if f64.sqrt (sum_squares g) <= tiny
      then (x, fx, g, eta, successes, false)
      else if successes == 10
      then (x, fx, g, 2 * eta, 0, true)
      else let x' = map2 (\a b -> a - eta * b) x g
           in if distance x x' <= tiny
              then (x, fx, g, eta, successes, false)
              else let fx' = f x'
                   in if fx' < fx
                      then (x', fx', gradient f x', eta, successes + 1, true)
                      else (x, fx, g, eta / 2, 0, true)
  in x
