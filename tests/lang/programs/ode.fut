-- Runge and Kutta over any vector space, given as a module.
-- ==
-- entry: predators
-- input { 0.01f64 100i64 }
-- output { 0.218539013847547f64 1.3765927923473618f64 }

-- ==
-- entry: lorenz
-- input { 0.01f64 50i64 }
-- output { [1.198564957856395f64, -8.867139000908752f64, 32.45493260144154f64] }

module type space = { type t val scale : f64 -> t -> t val add : t -> t -> t }

module rk4 (v: space) = {
  def step (f: f64 -> v.t -> v.t) (h: f64) (t: f64) (y: v.t) : v.t =
    let along c k = v.add y (v.scale (c * h) k)
    let k1 = f t y
    let k2 = f (t + h / 2) (along 0.5 k1)
    let k3 = f (t + h / 2) (along 0.5 k2)
    let k4 = f (t + h) (along 1 k3)
    in v.add y (v.scale (h / 6) (k1 `v.add` v.scale 2 k2 `v.add` v.scale 2 k3 `v.add` k4))
  def solve (f: f64 -> v.t -> v.t) (h: f64) (n: i64) (y: v.t) : v.t =
    (loop (t, y) = (0, y) for _i < n do (t + h, step f h t y)).1
}

module pair = rk4 {
  type t = (f64, f64)
  def scale k (a: t) : t = (k * a.0, k * a.1)
  def add (a: t) (b: t) : t = (a.0 + b.0, a.1 + b.1)
}
module triple = rk4 { type t = [3]f64 def scale k (a: t) : t = map (* k) a def add (a: t) (b: t) : t = map2 (+) a b }

entry predators (h: f64) (n: i64) =
  let (a, b, c) = (1.5, 1.0, 3.0)
  in pair.solve (\_ (x, y) -> (a * x - b * x * y, x * y - c * y)) h n (10, 5)

entry lorenz (h: f64) (n: i64) =
  triple.solve (\_ y -> [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])
               h n [1, 1, 1]
