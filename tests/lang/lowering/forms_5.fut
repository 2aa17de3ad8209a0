-- Lowering: many small forms, part 5.

-- ==
-- entry: lpoly
-- input { 3 [1.0,2.0] } output { 3 3 [1.0,2.0] [1.0,2.0] 2i64 }
entry lpoly (x: i32) (ys: []f64) =
  let dup 't (x: t) = (x, x)
  let ln [n] 't (_: [n]t) = n
  in (dup x, dup ys, ln ys)
def app_if '~b (c: bool) (f: bool -> b) : b = if c then f true else f false
-- ==
-- entry: lifted
-- input { true [1,-2,3] } output { 2i64 }
-- input { false [1,-2,3] } output { 1i64 }
entry lifted (b: bool) (xs: []i32) = length (app_if b (\c -> filter (\x -> c == (x > 0)) xs))
def fact (n: i64) : i64 = if n <= 1 then 1 else n * fact (n-1)
-- ==
-- entry: recmap
-- input { 5i64 } output { [1i64,1i64,2i64,6i64,24i64] }
entry recmap (n: i64) = map fact (iota n)
def halve [n] (xs: [n]i32) : []i32 = if n <= 1 then xs else halve (map2 (+) xs[:n/2] (xs[n/2:n/2+n/2] :> [n/2]i32))
-- ==
-- entry: rechalve
-- input { [1,2,3,4] } output { [10] }
entry rechalve (xs: []i32) = halve xs
def recpoly 't (f: t -> t) (n: i32) (x: t) : t = if n == 0 then x else recpoly f (n-1) (f x)
-- ==
-- entry: recp
-- input { 3 10 [1,2] } output { 40 [31,32] }
entry recp (n: i32) (k: i32) (xs: []i32) = (recpoly (+k) n k, recpoly (map (+k)) n xs)
def fibs (n: i32) : (i32, i32) = if n == 0 then (0, 1) else let (a, b) = fibs (n-1) in (b, a+b)
-- ==
-- entry: fibp
-- input { 10 } output { 55 89 }
entry fibp (n: i32) = fibs n
def qs [n] 't (leq: t -> t -> bool) (xs: [n]t) : []t =
  if n <= 1 then xs else
  let p = xs[n/2]
  let (lo, rest) = partition (\x -> leq x p && !(leq p x)) xs
  let (eq, hi) = partition (\x -> leq x p) rest
  in qs leq lo ++ eq ++ qs leq hi
-- ==
-- entry: qsort
-- input { [5,2,9,2,1] } output { [1,2,2,5,9] }
entry qsort (xs: []i32) = qs (<=) xs
-- ==
-- entry: qsort2
-- input { [5,2,9,2,1] 4 } output { [5,2,2,1,9] }
entry qsort2 (xs: []i32) (k: i32) = qs (\a b -> let (x, y) = (i32.abs (a-k), i32.abs (b-k)) in x < y || (x == y && a >= b)) xs
-- ==
-- entry: attrs
-- input { [1,2,3] } output { [2,3,4] 6 [0,0] }
entry attrs (xs: []i32) =
  let a = #[sequential] map (+1) xs
  let b = #[unsafe] reduce (+) 0 xs
  let c = #[blank] [1i32,2]
  in (a, #[opaque] b, map (\x -> x - x) c)
-- ==
-- entry: par
-- input { 3i64 } output { 4i64 }
entry par (n: i64) = #[param(foo)] (n + 1)
-- ==
-- entry: loopsz
-- input { 10i64 } output { [9i64] }
entry loopsz (n: i64) = loop xs = iota n while length xs > 1 do filter (\x -> x % 2 == 1 || x == 9) xs |> \ys -> if length ys == length xs then xs[length xs - 1:] else ys
-- ==
-- entry: collatz
-- input { 27 } output { 111 }
entry collatz (x: i32) = (loop (x, n) = (x, 0i32) while x != 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, n + 1)).1
module m = { module n = { def x = 3i32 def f y = y + x } def g z = n.f z * 2 type r = {a: i32, b: i32} def mk a b : r = {a, b} }
-- ==
-- entry: mods
-- input { 4 } output { 14 10 7 }
entry mods (z: i32) = (m.g z, m.(n.f z + n.x), (m.mk z 3 |> \r -> r.a + r.b))
-- ==
-- entry: sects
-- input { 5 [1,2,3] } output { 4 -4 [2,3,4] 3 [4,4,4] }
entry sects (x: i32) (xs: []i32) = ((x-) 1, (\y -> 1 - y) x, map (1+) xs, (.[2]) xs, map (\i -> (x -) 1) xs)
def uncurried ((a, b): (i32, i32)) {c, d: i32} (e, _) = a + b + c + d + e
-- ==
-- entry: pats
-- input { } output { 15 }
entry pats : i32 = uncurried (1, 2) {c = 3, d = 4} (5, true)
-- ==
-- entry: shadow
-- input { 3 } output { 8 }
entry shadow (x: i32) = let x = x + 1 let x = let x = x * 2 in x in x
def pow2 (n: i64) : [2**n]i64 = iota (2**n)
-- ==
-- entry: szexp
-- input { 3i64 } output { 8i64 [0i64,2i64,4i64,6i64,8i64,10i64,12i64,14i64] }
entry szexp (n: i64) = let xs = pow2 n in (length xs, map2 (+) xs (pow2 n))
-- ==
-- entry: mapsz
-- input { 2i64 3i64 } output { [[0i64,1i64,2i64,3i64],[0i64,1i64,2i64,3i64]] }
entry mapsz (n: i64) (m: i64) = map (\_ -> iota (m+1)) (iota n)
-- ==
-- entry: empt
-- input { 3i64 } output { empty([0][3]i64) empty([0][4]i32) }
entry empt (n: i64) : ([][n]i64, [][4]i32) = ([], map (\_ -> replicate 4 1i32) (iota 0))
-- ==
-- entry: units
-- input { 3i64 } output { 3i64 }
entry units (n: i64) = length (filter (\() -> true) (map (\_ -> ()) (iota n)))
def hoc (f: (i32 -> i32) -> i32) = f (+1)
-- ==
-- entry: hoho
-- input { 5 } output { 6 11 }
entry hoho (x: i32) = (hoc (\g -> g x), hoc (\g -> g (x + 5)))
def const_arr 'a [n] (x: a) (xs: [n]i32) : [n]a = map (\_ -> x) xs
-- ==
-- entry: carr
-- input { [1,2] } output { [[1,2],[1,2]] }
entry carr (xs: []i32) = (const_arr (copy xs) xs)
