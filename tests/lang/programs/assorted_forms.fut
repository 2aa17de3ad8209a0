-- Literals, operators, sections, records, matches, attributes together.
-- ==
-- entry: lits
-- input {} output { 14 0x1fi32 1000f64 3f32 -128i8 1u8 97u8 }

-- ==
-- entry: ops
-- input { 2 3 } output { 64 24 30 5 true -1 }

-- ==
-- entry: secs
-- input { [1,2,3] } output { [0,1,2] [2,4,6] 2 3 }

-- ==
-- entry: recs
-- input { 3 } output { 3 4 7 }

-- ==
-- entry: lam
-- input { [1,2] } output { [3,4] 6 }

-- ==
-- entry: lets
-- input { [1,2,3] } output { [9,2,3] 5 }

-- ==
-- entry: mat
-- input { 3 } output { 1 }
-- input { -1 } output { 2 }
-- input { 7 } output { 3 }

-- ==
-- entry: sums
-- input { 2 } output { 12 }

-- ==
-- entry: locals
-- input { 5 } output { 11 6 }

-- ==
-- entry: attrs
-- input { [1,2,3] } output { 6 [2,3,4] }
entry lits = (0rXIV, 0x1f, 1e3, 3 : f32, -128 : i8, 257u8, 'a' : u8)
def (+^) (a: i32) (b: i32) = a * b
def a `plus` b = a + b : i32
def x |>> f = f x
entry ops (a: i32) (b: i32) = (a ** 3 ** 2, 1 + 2 << 3, 1 + a |>> (* 10), a `plus` b, a < b == true, 1 - a)
entry secs (xs: []i32) = (map (+ (-1)) xs, map (2 *) xs, (.[1]) xs, (\ys -> (.0) (ys[2], 1i32)) xs)
entry recs (x: i32) =
  let r = {a = x, b = (x + 1, {c = 7i32})}
  let {a, b = (p, {c = q})} = r
  in (a, p, q)
entry lam (xs: []i32) = (map (\x -> let y = x + 1 in y + 1) xs, xs |> map \x -> x * 2 |> \y -> y) |> \(a, b) -> (a, i32.sum b)
entry lets (xs: *[]i32) =
  let ys = copy xs
  let xs[0] = 9
  let s = loop acc = 0 for y in ys[1:] do acc + y
  in (xs, s)
entry mat (x: i32) = match (x, x > 0) case (3, _) -> 1 case (-1, false) -> 2 case (_, true) -> 3 case _ -> 4
type t = #leaf | #node i32 {l: i32, r: i32}
def go (x: t) : i32 = match x case #node a {l, r} -> a * l * r case #leaf -> 0
entry sums (x: i32) = go (#node x {l = 2, r = 3})
module m = { module n = { def k = 6i32 type t = i32 } def (++) (a: n.t) (b: n.t) = a + b }
entry locals (x: i32) = let f (y: m.n.t) = m.(y ++ n.k) in (f x, x m.++ 1)
entry attrs (xs: []i32) =
  let s = #[sequential] reduce (+) 0 xs
  in (s, #[inline] map (\x -> #[unsafe] x + 1) xs)
