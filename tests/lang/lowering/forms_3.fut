-- Lowering: many small forms, part 3.

type opt 'a = #some a | #none
type shape = #circle f64 | #rect f64 f64 | #sq f64
-- ==
-- entry: area
-- input { 0 2.0 } output { 12.0 }
-- input { 1 2.0 } output { 6.0 }
-- input { 2 2.0 } output { 4.0 }
def mk (k: i32) (x: f64) : shape = match k case 0 -> #circle x case 1 -> #rect x 3 case _ -> #sq x
entry area (k: i32) (x: f64) = match mk k x case #circle r -> 3*r*r case #rect a b -> a*b case #sq a -> a*a
-- ==
-- entry: arrsum
-- input { [0,1,2] } output { [12.0,6.0,4.0] }
entry arrsum (ks: []i32) = let ss = map (\k -> mk k 2) ks in map (\s -> match s case #circle r -> 3*r*r case #rect a b -> a*b case #sq a -> a*a) ss
def find [n] (p: i32 -> bool) (xs: [n]i32) : opt i32 =
  loop acc : opt i32 = #none for x in xs do match acc case #none -> (if p x then #some x else #none) case s -> s
-- ==
-- entry: fnd
-- input { [1,5,8] } output { 5 }
-- input { [1] } output { -1 }
entry fnd (xs: []i32) = match find (>3) xs case #some x -> x case #none -> -1
-- ==
-- entry: nest
-- input { 1 2 } output { 3 }
-- input { 0 2 } output { 20 }
entry nest (a: i32) (b: i32) = match (a, {x = b, y = (#some a : opt i32)})
  case (0, {x, y = _}) -> x * 10
  case (_, {x = 7, y = #none}) -> 0
  case (q, {x, y = #some z}) -> if q == z then x + z else 100
  case (_, _) -> 50
-- ==
-- entry: eqs
-- input { 1 1 } output { true false true }
-- input { 1 2 } output { false false true }
entry eqs (a: i32) (b: i32) = ((#some a : opt i32) == #some b, (#some a : opt i32) == #none, [(a, true)] == [(a, true)])
-- ==
-- entry: flt
-- input { 0.0 } output { 1 }
-- input { -0.0 } output { 1 }
-- input { f64.nan } output { 3 }
entry flt (x: f64) : i32 = match x case 0.0 -> 1 case 1.5 -> 2 case _ -> 3
type~ arrs = #one ([]i32) | #two
-- ==
-- entry: sumarr
-- input { [1,2] true } output { 3 }
-- input { [1,2] false } output { 0 }
entry sumarr [n] (xs: [n]i32) (b: bool) = let v : (#one ([n]i32) | #two) = if b then #one xs else #two in match v case #one ys -> i32.sum ys case #two -> 0
-- functions in records and sums
type^ fs = {f: i32 -> i32, g: i32 -> i32 -> i32, k: i32}
def mkfs (k: i32) : fs = {f = \x -> x + k, g = \x y -> x * y + k, k}
-- ==
-- entry: recf
-- input { 10 } output { 13 16 10 }
entry recf (k: i32) = let r = mkfs k in (r.f 3, r.g 2 3, r.k)
type^ sf = #fn (i32 -> i32) | #const i32
def app (s: sf) (x: i32) = match s case #fn f -> f x case #const c -> c
-- ==
-- entry: sumf
-- input { 10 } output { 11 5 }
entry sumf (k: i32) = (app (#fn (+1)) k, app (#const 5) k)
def compose 'a 'b 'c (f: a -> b) (g: b -> c) = \x -> g (f x)
-- ==
-- entry: comp
-- input { [1,2] } output { [4,6] }
entry comp (xs: []i32) = map (compose (+1) (*2)) xs
def curry3 = \(a: i32) (b: i32) -> \(c: i32) -> a * 100 + b * 10 + c
-- ==
-- entry: cur
-- input { 1 2 3 } output { 123 123 }
entry cur (a: i32) (b: i32) (c: i32) = let h = curry3 a in (h b c, curry3 a b c)
-- ==
-- entry: pip
-- input { [1,-2,3] } output { 2i64 [4,10] }
entry pip (xs: []i32) = let ys = xs |> filter (>0) |> map (\x -> x*3+1) in (length ys, ys)
def tab = [4,5,6i32]
def big = iota 5 |> filter (>2)
entry consts1 (i: i64) = (tab[i], copy big, (zip big big)[0].1)
entry consts2 (b: bool) = if b then length (zip big (map (+1) big)) else length (map (\(x,y) -> x+y) (zip big big))
-- ==
-- entry: consts1
-- input { 1i64 } output { 5 [3i64,4i64] 3i64 }
def sep = 1i32
-- ==
-- entry: consts2
-- input { true } output { 2i64 }
