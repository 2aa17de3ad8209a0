-- The sum of squared residuals of a straight line through points, and its gradient.
-- ==
-- entry: main
-- input { [0.0, 1.0, 2.0] [1.0, 3.0, 5.0] 1.0 0.0 }
-- output { 14.0 -16.0 -12.0 }

type line = {slope: f64, offset: f64}

def residuals [n] (xs: [n]f64) (ys: [n]f64) (l: line) : [n]f64 =
  map2 (\x y -> y - (l.slope * x + l.offset)) xs ys

def loss [n] (xs: [n]f64) (ys: [n]f64) (l: line) : f64 =
  f64.sum (map (\r -> r * r) (residuals xs ys l))

-- | The loss and its derivatives by slope and offset.
entry main [n] (xs: [n]f64) (ys: [n]f64) (slope: f64) (offset: f64) : (f64, f64, f64) =
  let (value, grad) = vjp2 (loss xs ys) {slope, offset} 1
  in (value, grad.slope, grad.offset)

-- | Gradient descent: the line that fits best.
entry fit [n] (xs: [n]f64) (ys: [n]f64) (steps: i32) (rate: f64) : (f64, f64) =
  let best =
    loop l = {slope = 0, offset = 0}
    for _i < steps do
      let grad = vjp (loss xs ys) l 1
      in {slope = l.slope - rate * grad.slope, offset = l.offset - rate * grad.offset}
  in (best.slope, best.offset)
