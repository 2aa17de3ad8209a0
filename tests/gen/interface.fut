-- A program with a value of every kind at its border; the clients beside it drive it.

type pt = {x: f32, y: f32}
type shape = #circle f64 | #path [3]i32 bool | #empty
module m = {type t = {name: i32, data: [2]i64}}

-- | Sums the first, scales the second.
entry main [n] (xs: [n]i32) (ys: [n]f32) : (i32, [n]f32) =
  (i32.sum xs, map2 (\x y -> f32.i32 x * y) xs ys)

entry scale (k: f64) (a: [][]f64) : [][]f64 = map (map (* k)) a
entry mk (a: f32) (b: f32) : pt = {x = a, y = b}
entry norm (p: pt) : f32 = f32.sqrt (p.x * p.x + p.y * p.y)
entry points (n: i64) : [n]pt = tabulate n (\i -> {x = f32.i64 i, y = -1})
entry abscissas [n] (ps: [n]pt) : [n]f32 = map (.x) ps
entry area (s: shape) : f64 =
  match s
  case #circle r -> r * r * 3
  case #path a closed -> f64.i32 (i32.sum a) + (if closed then 0.5 else 0)
  case #empty -> 0
entry pick (b: bool) : (#foo i32 | #bar f32) = if b then #foo 3 else #bar 2
entry positive (xs: []i32) : []i32 = filter (> 0) xs
#[inline]
entry update [n] (xs: *[n]i32) (i: i64) (v: i32) : *[n]i32 = xs with [i] = v
entry nothing (x: i32) : () = let _ = x in ()
entry answer = 42i32
entry sized (n: i64) (xs: [n + 1]i32) : i64 = length xs - n
entry nested [n] (xs: [n]i32) : ([n]i32, {a: i32, b: (i32, bool)}) = (xs, {a = 1, b = (2, true)})
entry halves [n] (xs: [n]f16) (k: f16) : ([n]f16, f16) = (map (* k) xs, k)
entry flags [n] (xs: [n]bool) : [n]bool = map (\x -> !x) xs
entry bytes (xs: []u8) : i64 = length xs
entry named (t: m.t) : m.t = {name = t.name + 1, data = map (* 2) t.data}
entry same (xs: []i32) : []i32 = xs
entry kinds [n] (ss: [n]shape) : [n]f64 = map area ss
entry pair (p: (i32, []f32)) : i32 = p.0 + i32.i64 (length p.1)
entry units (n: i64) : [n]() = replicate n ()
type segment = {from: pt, marks: [2]pt}
entry segment (p: pt) : segment = {from = p, marks = [p, p]}
