-- Directions whose number is not known, or large: the same as one by one.
-- ==
-- input { [0.3, 0.7, 1.1] 0i64 } output { true }
-- input { [0.3, 0.7, 1.1] 1i64 } output { true }
-- input { [0.3, 0.7] 8i64 } output { true }
-- input { [0.3, 0.7, 1.1] 21i64 } output { true }
def in_loop [n] (x: [n]f64) : [n]f64 = map (\a -> loop s = a for _i < n do s * s * 0.5 + f64.sin a) x
def to_one [n] (x: [n]f64) : f64 = f64.sum (map2 (\a b -> a * f64.exp b) x (rotate 1 x))
def in_place [n] (x: [n]f64) : ([n]f64, f64, i64) =
  (loop y = copy x for i < n do y with [i] = y[(i + 1) % n] * f64.sin y[i], f64.sum x, i64.f64 x[0])

def near (a: f64) (b: f64) : bool = f64.abs (a - b) < 1e-9 * (1 + f64.abs b)

entry main [n] (x: [n]f64) (m: i64) : bool =
  let ds = tabulate_2d m n (\i j -> f64.i64 ((i * 7 + j * 3) % 5) - 1.5)
  let hundred = tabulate_2d 100 n (\i j -> f64.i64 ((i * 7 + j * 3) % 5) - 1.5)
  let w = map (\i -> f64.sin (f64.i64 i)) (iota m)
  let same a b = and (map2 (\p q -> and (map2 near p q)) a b)
  let (v, t) = jmp2 to_one x ds
  let (a, b, c) = unzip3 (jmp in_place x ds)
  let (a', b', c') = unzip3 (map (jvp in_place x) ds)
  in same (jmp in_loop x ds) (map (jvp in_loop x) ds) &&
     same (jmp in_loop x hundred) (map (jvp in_loop x) hundred) &&
     near v (to_one x) && and (map2 near t (map (jvp to_one x) ds)) &&
     same a a' && and (map2 near b b') && and (map2 (==) c c') &&
     and (map2 near (vjp (\x -> jmp to_one x ds) x w) (vjp (\x -> map (jvp to_one x) ds) x w))
