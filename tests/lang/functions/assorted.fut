-- Functions that take, give and keep functions.
type^ fn 'a 'b = a -> b
type^ parser 'a = {run: i64 -> (a, i64), name: i32}
def compose 'a 'b '^c (f: fn b c) (g: fn a b) : fn a c = \x -> f (g x)
def twice 'a (f: a -> a) = f >-> f
def adders = (\(n: i32) -> (+ n), 5i32)

-- ==
-- entry: a
-- input { } output { 23i32 }
entry a = twice (twice (* 2i32)) 1 + adders.0 3 4
def pipeline (k: i32) : i32 -> i32 = let h = compose (+ k) (* 2) in compose h h

-- ==
-- entry: b
-- input { } output { 23i32 }
entry b = pipeline 1 5
def mkp (k: i64) : parser i64 = {run = \i -> (i * k, i + k), name = 7}
def seq 'a 'b 'c (p: parser a) (q: parser b) (f: a -> b -> c) : parser c = { run = \i ->
                                                                                     let ( x
                                                                                         , j
                                                                                         ) = p.run
                                                                                               i
                                                                                     let ( y
                                                                                         , k
                                                                                         ) = q.run
                                                                                               j
                                                                                     in ( f
                                                                                            x
                                                                                            y
                                                                                        , k
                                                                                        )
                                                                           , name = p.name
                                                                                    + q.name
                                                                           }

-- ==
-- entry: c
-- input { } output { 66i64 10i64 }
entry c = (seq (mkp 2) (seq (mkp 3) (mkp 4) (+)) (*)).run 1
def map_with_index 'a 'b [n] (f: i64 -> a -> b) (xs: [n]a) = map2 f (iota n) xs

-- ==
-- entry: d
-- input { } output { [0i64, 20i64, 60i64] }
entry d = map_with_index (\i x -> i * x) [10, 20, 30]
def zipwith3 'a 'b 'c 'd [n]
    (f: a -> b -> c -> d)
    (xs: [n]a)
    (ys: [n]b)
    (zs: [n]c) : [n]d = map (\(x, y, z) -> f x y z) (zip3 xs ys zs)

-- ==
-- entry: e
-- input { } output { [16i32, 26i32] }
entry e = zipwith3 (\a b c -> a + b * c) [1, 2] [3, 4] [5, 6i32]
def church 'a (n: i32) (f: a -> a) (x: a) = loop x for _i < n do f x

-- ==
-- entry: f_
-- input { } output { 64i32 }
entry f_ = church 3 (church 2 (* 2)) 1i32
def fix_point (eps: f64) (f: f64 -> f64) (x: f64) =
  (loop (x, y) = (x, f x) while f64.abs (x - y) > eps do (y, f y)).1

-- ==
-- entry: g
-- input { } output { 0.73908499999999999f64 }
entry g = fix_point 1e-9 f64.cos 1 |> \x -> f64.round (x * 1e6) / 1e6
def foldl1 'a [n] (f: a -> a -> a) (xs: [n]a) = foldl f xs[0] xs[1:]

-- ==
-- entry: h
-- input { } output { 5i32 }
entry h = foldl1 (-) [10, 3, 2i32]
def local_poly (x: i32) = let pair 'a (y: a) = (y, y) in (pair x, pair true)

-- ==
-- entry: i
-- input { } output { 3i32 3i32 true true }
entry i = let ((a, b), (c, d)) = local_poly 3 in (a, b, c, d)
def local_size (xs: []i32) =
  let f [n] (ys: [n]i32) = n * 2 in f xs + f [1, 2, 3]

-- ==
-- entry: j
-- input { } output { 8i64 }
entry j = local_size [1]

-- ==
-- entry: k
-- input { } output { [9i32, 8i32] }
entry k = let f = (\x y -> x - y : i32) let g = f 10 in map g [1, 2]

-- ==
-- entry: l
-- input { } output { 6i32 }
entry l = (\(x, {y, z = (a, _)}) -> x + y + a) (1i32, {y = 2, z = (3, true)})
def choose (b: bool) =
  let f = (+ 1i32) let g = (* 2i32) in \x -> if b then f x else g x

-- ==
-- entry: m
-- input { } output { 11i32 20i32 }
entry m = (choose true 10, choose false 10)
def curried (x: i32) : i32 -> i32 -> i32 = \y -> \z -> x * y + z

-- ==
-- entry: n
-- input { } output { [5i32, 8i32] }
entry n = map2 (curried 2) [1, 2] [3, 4]
def sum_types (f: i32 -> (#left i32 | #right f32)) =
  match f 3 case #left x -> f32.i32 x case #right y -> y

-- ==
-- entry: o
-- input { } output { 4f32 1.5f32 }
entry o =
  (sum_types (\x -> #left (x + 1)), sum_types (\x -> #right (f32.i32 x / 2)))
def tabulated (n: i64) (f: i64 -> i32) : i64 -> i32 =
  let t = tabulate n f in \i -> t[i]

-- ==
-- entry: p
-- input { } output { 25i32 }
entry p = let f = tabulated 5 (\i -> i32.i64 (i * i)) in f 3 + f 4

-- ==
-- entry: q
-- input { } output { [4i32, 6i32] }
entry q = map (uncurry (+)) (zip [1, 2] [3, 4])

-- ==
-- entry: r
-- input { } output { true }
entry r = all id (map3 (\a b c -> a < b && b < c) [1, 2] [2, 3] [3, 4])
