-- Rows that are no multiple of a vector: see short_rows.sh.
entry products [n] (xs: [n]f32) : [n]f32 =
  map (\x -> loop s = 0 for k < 5 do s * 0.5 + xs[k % n] * x) xs

entry chosen [n] (xs: [n]f32) : [n]f32 =
  tabulate n (\j -> loop s = 0 for k < 7 do s + (if j + 1 < n then xs[j + 1] else f32.i64 k) * f32.i64 (k - 3))

-- Lanes that are no vectors.
entry integers [n] (xs: [n]f32) : [n]i32 =
  map (\x -> let y = i32.f32 (4 * x) in loop s = 0 for k < 7 do s * 3 + k * y) xs

entry matrix [n] (xs: [n]f32) : [n][n]f32 =
  let ys = map (\y -> map (\x -> x + 2 * y) xs) xs
  in map (\y -> map (\z -> f32.sum (map2 (*) y z)) (transpose ys)) ys

entry functions [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.exp (-x) + f32.tanh x) xs

-- The first and the last elements are loops of their own.
entry borders [n] (xs: [n]f32) : [n]f32 =
  let neighbours j = (if j > 0 then xs[j - 1] else 0) + (if j + 1 < n then xs[j + 1] else 0)
  in tabulate n (\j -> loop s = 0 for k < 7i64 do s * 0.5 + neighbours j * xs[k % n])

-- Rows of a known length: no more than vectors.
entry known [n] (xs: [n]f32) : [n][21]f32 =
  map (\x -> tabulate 21 (\j -> f32.exp (x * f32.i64 j - 1))) xs

entry known_tiles [n] (xs: [n]f32) : [n][21]f32 =
  let ys = map (\y -> tabulate 21 (\j -> y * f32.i64 (j - 7))) xs
  let zs = tabulate_2d n n (\i k -> xs[i] * xs[k])
  in tabulate_2d n 21 (\i j -> loop s = -9 for k < n do f32.max s (zs[n - 1 - i, k] - ys[k, j]))

-- What a step reads it overwrites: it must not be done twice.
entry in_place [n] (xs: [n]f32) : [n]f32 =
  loop xs = copy xs for _i < 3i64 do map (\x -> 0.5 * f32.exp (0.25 * x) + x) xs

entry in_place_sums [n] (xs: [n]f32) (ks: [4]f32) : [n]f32 =
  loop xs = copy xs for _i < 3i64 do map (\x -> x + (loop s = 0 for k < 4i64 do s * 0.5 + ks[k] * x)) xs

-- What iterations add to results that all share they add once.
entry folded [n] (xs: [n]f32) : ([n]f32, f32, f32) =
  let ys = map (\x -> let s = loop s = 0 for k < 5 do s * 0.5 + xs[k % n] * x in if s > 0 then s else 0) xs
  in (ys, f32.sum ys, f32.maximum ys)

entry folded_twice [n] (xs: [n]f32) : f32 =
  let row x = loop s = 0 for y in xs do s * 0.5 + f32.abs (x - y) * x
  in f32.sum (map row xs)

entry folded_in_place [n] (xs: [n]f32) : ([n]f32, f32) =
  loop (xs, t) = (copy xs, 0) for _i < 3i64 do
    let ys = map (\x -> 0.5 * f32.exp (0.25 * x) + x) xs
    in (ys, t + f32.sum ys)

-- Every second element.
entry evens [n] (xs: [n]f32) : []f32 =
  tabulate (n / 2) (\j -> loop s = 0 for k < 5 do s * 0.5 + xs[2 * j] * xs[2 * j + 1] - xs[k % n])

-- Every third, in and around loops.
entry thirds [n] (xs: [n]f32) : []f32 =
  tabulate (n / 3) (\j -> loop s = f32.exp (-xs[3 * j + 1]) for k < 5 do s * 0.5 + xs[k % n])

-- All iterations add to the same elements.
entry shared [n] (xs: [n]f32) : [n]f32 =
  vjp (\ks -> f32.sum (map (\x -> loop s = x for k in ks do s * 0.5 + 0.01 * k * x * s) xs)) xs 1

-- Lanes choose: those that do not count must not.
type shape 't = #round t | #square (t, t) | #none

entry choices [n] (xs: [n]f32) : f32 =
  let push (s: shape f32) (x: f32) (v: f32) =
    match s
    case #round r -> r * x
    case #square (a, b) -> f32.max 0 (a * x - b * v) / (1 + x * x)
    case #none -> f32.sqrt (f32.abs x)
  let fall (s: shape f32) (x: f32) : f32 =
    let (y, v) =
      loop (y, v) = (x, 0) for i < 9i32 do
        let v = v + 0.1 * (if y < 0 then push s (-y) v - 1 else -1)
        in (y + 0.1 * v, if i == 4 then -v else v)
    in y + v
  in f32.sum (map (\x -> fall (if x > 0.5 then #round x else if x < -0.5 then #square (x, 1) else #none) x) xs)

-- Numbers of 64 bits.
entry doubles [n] (xs: [n]f32) : ([n]f64, f64) =
  let zs = loop zs = replicate n 0f64 for i < n do zs with [i] = f64.f32 xs[i] + zs[i / 2] / 2
  let ys = map (\x -> loop s = 0 for z in zs do s * 0.5 + z * x) zs
  in (ys, f64.sum (map f64.exp ys))

-- Rows of few columns, as only the program as it runs knows.
def rows_of [n] (xs: [n]f32) =
  let (d, m) = (1 + n % 5, n / (1 + n % 5))
  in map (scan (+) 0) (unflatten (take (m * d) xs :> [m * d]f32))

entry nearest [n] (xs: [n]f32) : []f32 =
  let ps = rows_of xs
  let far p q = f32.sum (map2 (\a b -> (a - b) * (a - b)) p q)
  in map (\p -> f32.minimum (map (\q -> f32.abs (far p q - 1)) ps)) ps

entry shared_rows [n] (xs: [n]f32) : ([]f32, f32) =
  let ps = rows_of xs
  let ys = map (\p -> f32.tanh (f32.sum (map2 (*) p ps[0]))) ps
  in (ys, f32.sum ys)

-- Sums that take no time: what is left after whole vectors is some lanes of one, in rows.
entry sums [n] (xs: [n]f32) : (f32, f32, f32) =
  (f32.sum (map (\x -> x * x) xs), f32.maximum (map (\x -> x * (x - 1)) xs),
   f32.product (map (\x -> 1 + x / 64) xs))

entry sums_of_rows [n] (xs: [n]f32) : [n]f32 =
  let ys = loop ys = tabulate_2d n n (\i j -> xs[i] + xs[j] / 2) for i < n do ys with [i, 0] = ys[i / 2, i]
  in map f32.sum ys

-- Rows whose sums are added up: lanes are added up after all of them.
def table [n] (xs: [n]f32) : [n][n]f32 =
  loop ys = tabulate_2d n n (\i j -> xs[i] + xs[j] / 2) for i < n do ys with [i, 0] = ys[i / 2, i]

entry kept_rows [n] (xs: [n]f32) : (f32, f32) =
  let (s, t) = unzip (map (\y -> (f32.sum (map2 (*) y xs), f32.maximum y)) (table xs))
  in (f32.sum s, f32.maximum t)

-- ... but not where something else is done with them, or there are other operations on the way.
entry used_rows [n] (xs: [n]f32) : (f32, f32) =
  let ys = map (\y -> f32.sum (map2 (*) y xs)) (table xs)
  in (f32.sum (map (\s -> s * s) ys), f32.maximum ys)

-- The last column is apart, and rows are added up for two pictures.
entry kept_borders [n] (xs: [n]f32) : f32 =
  let ys = [table xs, table (reverse xs)]
  in f32.sum (map (\ys -> f32.sum (map (\y -> f32.sum (map2 (\v j -> v * (if j + 1 < n then y[j + 1] else 1)) y (iota n))) ys)) ys)
