-- A network with one hidden layer, and the mean of its squared errors.
def predict [d] [h] (w1: [h][d]f64) (b1: [h]f64) (w2: [h]f64) (b2: f64) (x: [d]f64) : f64 =
  let hidden = map2 (\r b -> f64.tanh (f64.sum (map2 (*) r x) + b)) w1 b1
  in f64.sum (map2 (*) hidden w2) + b2

entry loss [n] [d] [h]
           (w1: [h][d]f64)
           (b1: [h]f64)
           (w2: [h]f64)
           (b2: f64)
           (xs: [n][d]f64)
           (ys: [n]f64) : f64 =
  f64.sum (map2 (\x y -> (predict w1 b1 w2 b2 x - y) ** 2) xs ys) / f64.i64 n

-- A linear model: the sum, so that parts of the data can be added up.
entry squares [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 =
  f64.sum (map2 (\x y -> (f64.sum (map2 (*) w x) - y) ** 2) xs ys)

-- The same for one row of the data.
entry square [d] (w: [d]f64) (x: [d]f64) (y: f64) : f64 = (f64.sum (map2 (*) w x) - y) ** 2

-- Predator and prey by the classical Runge-Kutta method: the squared distance to what was observed.
entry lotka [n] (p: [4]f64) (start: [2]f64) (dt: f64) (seen: [n][2]f64) : f64 =
  let rate (u: f64, v: f64) = (p[0] * u - p[1] * u * v, p[2] * u * v - p[3] * v)
  let add (u: f64, v: f64) (du: f64, dv: f64) (h: f64) = (u + h * du, v + h * dv)
  let step s =
    let k1 = rate s
    let k2 = rate (add s k1 (dt / 2))
    let k3 = rate (add s k2 (dt / 2))
    let k4 = rate (add s k3 dt)
    in add (add (add (add s k1 (dt / 6)) k2 (dt / 3)) k3 (dt / 3)) k4 (dt / 6)
  let (_, sum) =
    loop ((u, v), sum) = ((start[0], start[1]), 0)
    for o in seen do
      let (u, v) = step (u, v)
      in ((u, v), sum + (u - o[0]) ** 2 + (v - o[1]) ** 2)
  in sum

-- The logarithm of a posterior: normal errors, normal prior.
entry posterior [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 =
  let errors = f64.sum (map2 (\x y -> (f64.sum (map2 (*) w x) - y) ** 2) xs ys)
  in -0.5 * (errors / 0.25 + f64.sum (map (** 2) w))
