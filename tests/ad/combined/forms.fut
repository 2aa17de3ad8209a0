-- Derivatives in every place and form: partial applications, compositions, records, sums, attributes,
-- operators and conditions.
import "../fd/lib/fd"
def x5 : [5]f64 = [0.7, -1.3, 2.1, 0.4, -0.6]
def grad 'a (f: a -> f64) : a -> a = \x -> vjp f x 1
def diff (f: f64 -> f64) = \x -> jvp f x 1
def uncurry 'a 'b 'c (f: a -> b -> c) ((x, y): (a, b)) = f x y
def h1 [n] (v: [n]f64) : [n]f64 = map (diff f64.sin) v
def h2 [n] (v: [n]f64) : [n]f64 = map (diff (diff (\x -> x ** 4))) v
def h3 [n] (v: [n]f64) : [n]f64 = let g = vjp (\w -> map (* w[1]) w) v in g (map f64.cos v)
def h4 [n] (v: [n]f64) : [n]f64 = v |> grad (\w -> f64.sum (map (** 3) w))
def h5 [n] (v: [n]f64) : [2]f64 = let (a, b) = vjp (uncurry (*)) (v[0], v[1]) v[2] in [a, b]
def h6 [n] (v: [n]f64) : [2]f64 = let r = vjp (\{x, y} -> x * y * y) {x = v[0], y = v[1]} v[3] in [r.x, r.y]
def h7 [n] (v: [n]f64) : [1]f64 = [jvp (.0) (v[0], v[1]) (v[2], v[3])]
def h8 [n] (v: [n]f64) : [n]f64 = scan (\a b -> jvp (\c -> a * c * c + b * c) b 1 - 2 * a * b) 0 v
def h9 [n] (v: [n]f64) : [1]f64 = [reduce (+) 0 (map (\x -> vjp (\(y: f64) -> y * x * y) x x) v)]
def h10 [n] (v: [n]f64) : [1]f64 = [f64.sum (filter (\x -> jvp (\y -> y * y) x 1 > 0) v)]
def h11 [n] (v: [n]f64) : [1]f64 = [loop x = v[0] while jvp (\y -> y * y) x 1 < 4 do x + 0.3 + v[1] * v[1]]
def h12 [n] (v: [n]f64) : [1]f64 = [v[i64.f64 (jvp (\y -> y * y) 1.2 1)] * v[0]]
def h13 [n] (v: [n]f64) : [n]f64 = map (\f -> f) (let fs (k: i64) = \(x: f64) -> if k == 0 then x * x else f64.sin x in map2 (\k x -> jvp (fs k) x 1) (iota n |> map (% 2)) v)
def h15 [n] (v: [n]f64) : [n]f64 = let a = vjp (\(w: [n]f64) -> copy w with [0] = w[1] * w[2]) v (map (* 2) v) in map2 (*) a v
def h16 [n] (v: [n]f64) : [n]f64 = jvp (\(w: [n]f64) -> copy w with [0] = w[1] * w[2]) v (map (* 2) v)
def h17 [n] (v: [n]f64) : [n]f64 = (vjp (\(a, b) -> (map2 (*) a b, f64.sum a * b[0])) (v, map f64.sin v) (map f64.cos v, v[0])).0
type sh [n] = #line f64 | #many [n]f64
def h18 [n] (v: [n]f64) : [1]f64 =
  let f (s: sh [n]) = match s case #line x -> x * x case #many xs -> f64.sum (map (** 2) xs)
  in [jvp (\t -> f (if t > 0 then #many (map (* t) v) else #line t)) v[0] 1]
def h19 [n] (v: [n]f64) : [n]f64 =
  let r = vjp (\(s: sh [n]) -> match s case #line x -> x * x case #many xs -> f64.sum (map (** 2) xs)) (#many v) 1
  in match r case #line x -> replicate n x case #many xs -> xs
def h20 [n] (v: [n]f64) : [n]f64 = map (\x -> (vjp (\(a, (b, c)) -> [a * b, c * x]) (x, (x, x)) [1, x]).0) v
def h21 [n] (v: [n]f64) : [n]f64 = mjp (\(x: f64) -> (x * x, map (* x) v)) v[0] (map (\i -> (f64.i64 i, map (* v[i]) v)) (iota n))
def h22 [n] (v: [n]f64) : [n]f64 = map (.1) (jmp (\(x: f64) -> (x * x, x * v[1])) v[0] v)
def h23 [n] (v: [n]f64) : [n]f64 = (mjp2 (\(w: [n]f64) -> f64.sum (map (** 2) w)) v [1, v[0]]).1 |> transpose |> map f64.sum
def h24 [n] (v: [n]f64) : [n]f64 = vjp (\(w: [n]f64) -> let (a, b) = partition (> 0) w in f64.sum (map (** 2) a) * f64.sum b) v 1
def h25 [n] (v: [n]f64) : [n]f64 = vjp (\(w: [n]f64) -> #[unroll] loop s = 0 for i < 5 do s * w[i] + w[i]) v 1
def h26 [n] (v: [n]f64) : [n]f64 = vjp (\(w: [n]f64) -> (#[sequential] reduce (\a b -> a * b + a + b) 0 w)) v 1
def h27 [n] (v: [n]f64) : [n]f64 = vjp (\(w: [n]f64) -> assert (w[0] < 100) (f64.sum (map f64.exp w))) v 1
def h28 [n] (v: [n]f64) : [n]f64 = vjp (\(w: [n]f64) -> #[trace] (f64.sum (map f64.exp w))) v 1
def h29 [n] (v: [n]f64) : [n]f64 = let k = opaque 3i64 in vjp (\(w: [n]f64) -> f64.sum (opaque (map (** f64.i64 k) w))) v 1
entry main =
  [check h1 x5, check h2 x5, check h3 x5, check h4 x5, check h5 x5, check h6 x5, check h7 x5, check h8 x5, check h9 x5, check h10 x5]
entry main2 =
  [check h11 x5, check h12 x5, check h13 x5, check h15 x5, check h16 x5, check h17 x5, check h18 x5, check h19 x5, check h20 x5]
entry main3 =
  [check h21 x5, check h22 x5, check h23 x5, check h24 x5, check h25 x5, check h26 x5, check h27 x5, check h29 x5]
entry main4 = and (map2 (close 1e-9) (h28 x5) (map f64.exp x5))

-- ==
-- entry: main
-- input { } output { [true,true,true,true,true,true,true,true,true,true] }

-- ==
-- entry: main2
-- input { } output { [true,true,true,true,true,true,true,true,true] }

-- ==
-- entry: main3
-- input { } output { [true,true,true,true,true,true,true,true] }

-- ==
-- entry: main4
-- input { } output { true }
