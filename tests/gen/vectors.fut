-- Functions and choices in vectors: see vectors.sh.
def entropy_of [n] (xs: [n]f64) : f64 =
  f64.sum (map (\x -> if x > 0 then -x * f64.log (x / f64.max (x * x) 1e-12) else 0) xs)

entry entropy [n] (xs: [n]f64) (_: [n]f32) : f64 = entropy_of xs

entry entropy_gradient [n] (xs: [n]f64) (_: [n]f32) : [n]f64 = vjp entropy_of xs 1

-- Three pieces, each of which may be no number where another is taken.
def piece (x: f32) : (f32, f32) =
  if x < -1 then (f32.sqrt (-1 - x) + f32.log (-x), 1)
  else if x < 0.5 then let y = x * x in (y * y + f32.exp y, y)
  else (f32.log (x + 0.5) / x, f32.tanh x)

entry pieces [n] (_: [n]f64) (xs: [n]f32) : ([n]f32, f32) =
  let ys = map (\x -> piece x |> \(a, b) -> a * b) xs
  in (ys, f32.sum (map (\x -> (piece x).1) xs))

entry softplus [n] (xs: [n]f64) (_: [n]f32) : ([n]f64, f64) =
  (map f64.log1p xs, f64.sum (map (\x -> f64.max x 0 + f64.log1p (f64.exp (-f64.abs x))) xs))

entry softplus32 [n] (_: [n]f64) (xs: [n]f32) : [n]f32 =
  map (\x -> f32.max x 0 + f32.log1p (f32.exp (-f32.abs x))) xs

-- Powers of negative numbers, too, and of nothing; and of one number to what goes up by two.
entry powers [n] (xs: [n]f64) (_: [n]f32) : ([n]f64, f64) =
  (map (\x -> x ** x) xs, f64.sum (map (\x -> (x * x) ** 0.3 + f64.abs x ** x) xs))

entry powers32 [n] (_: [n]f64) (xs: [n]f32) : ([n]f32, [n]f32) =
  (map (\x -> f32.abs x ** x) xs, map2 (\i x -> 1.01 ** f32.i64 (2 * i - n) + f32.sin x) (iota n) xs)

entry elu [n] (xs: [n]f64) (_: [n]f32) : ([n]f64, f64) =
  let ys = map (\x -> if x > 0 then x else f64.exp x - 1) xs
  in (ys, f64.sum (map (\y -> if y < 0.5 then f64.exp y - 1 else f64.cos y) ys))

-- The branch has a load, which is outside of the array where it is not taken.
entry guarded [n] (xs: [n]f64) (_: [n]f32) : f64 =
  let k = n / 2
  in f64.sum (map2 (\i x -> if i < k && x < 2 then f64.exp (-x) * xs[k - 1 - i] else x) (iota n) xs)

-- As many iterations as eight narrow vectors have lanes, but not eight of the widest.
entry sixty_four [n] (_: [n]f64) (xs: [n]f32) : [64]f32 =
  tabulate 64 (\i -> f32.sum (map (\x -> (x - f32.i64 i) * (x - f32.i64 i)) xs))

-- Loops inside of parallel ones, with choices by tags, which are computed or lie in arrays.
type material 't = #springy t | #damped (t, t) | #sticky | #loose

def contact32 (m: material f32) (depth: f32) (v: f32) : f32 =
  match m
  case #springy k -> k * depth
  case #damped (k, c) -> f32.max 0 (k * depth - c * v) / (1 + depth * depth)
  case #sticky -> 5 * depth - v * f32.abs v
  case #loose -> f32.sqrt (f32.abs depth)

def fall32 (m: material f32) (x: f32) : f32 =
  let (y, v) =
    loop (y, v) = (x, 0) for i < 9i32 do
      let v = v + 0.1 * (if y < 0 then contact32 m (-y) v - 1 else -1)
      in (y + 0.1 * v, if i == 4 then -v else v)
  in y + v

entry falls32 [n] (_: [n]f64) (xs: [n]f32) : f32 =
  f32.sum (map (\x -> fall32 (if x > 1 then #springy x else if x > 0 then #damped (x, 1)
                              else if x > -2 then #sticky else #loose) x) xs)

def kinds_of [n] (xs: [n]f64) : ([n]i8, [n]i32, [n]bool) =
  loop (a, b, c) = (replicate n 0, replicate n 0, replicate n false) for i < n do
    let h = i / 2
    in (a with [i] = if xs[i] < 1 then -1 else if i > 0 && a[h] == 1 then 0 else i8.i64 (i % 3),
        b with [i] = if xs[i] < 0 then i32.lowest else if b[h] == 1 then 2 else i32.i64 i % 4,
        c with [i] = xs[i] > 0.5 && !c[h])

entry stored_tags [n] (xs: [n]f64) (_: [n]f32) : ([n]f64, f64) =
  let (a, b, c) = kinds_of xs
  let ys = map4 (\x k l m ->
      loop y = x for _i < 7i64 do
        let z = match k
                case 0 -> y * y
                case 1 -> f64.exp (-f64.abs y)
                case _ -> 1 / (2 + y * y)
        in (if l == i32.lowest || m then z else 0.5 * z) + (if l < 2 then 0.25 else 0)) xs a b c
  in (ys, f64.sum ys)

entry scene [n] (xs: [n]f64) (_: [n]f32) : [n]f64 =
  let k = i64.min n 5
  let shapes : [k](material f64) =
    tabulate k (\i -> if i % 4 == 0 then #springy xs[i] else if i % 4 == 1 then #damped (xs[i], 0.5)
                      else if i % 4 == 2 then #sticky else #loose)
  let far (s: material f64) (x: f64) =
    match s
    case #springy a -> f64.abs (x - a)
    case #damped (a, r) -> if x < a then f64.sqrt ((x - a) ** 2 + r) - r else 1 + x
    case #sticky -> f64.max 0 (x - 1)
    case #loose -> 3 - x
  in map (\x -> loop t = x for _i < 6i64 do t + 0.5 * (loop m = 9 for q < k do f64.min m (far shapes[q] t))) xs

-- Loops that are no maps, and return sweeps that add to an array: iterations that touch places of their own.
entry own_places [n] (xs: [n]f64) (_: [n]f32) : [n]f64 =
  loop ys = copy xs for i < n - 1 do ys with [i + 1] = f64.cos ys[i + 1] + 0.5 * xs[i]
entry steps_gradient [n] (xs: [n]f64) (_: [n]f32) : [n]f64 =
  let k = (n + 2) / 3
  in vjp (\x -> f64.sum (loop s = take k x for i < n / i64.max 1 k do
            map2 (\s j -> f64.sin (s + x[i * k + j])) s (iota k))) xs 1
