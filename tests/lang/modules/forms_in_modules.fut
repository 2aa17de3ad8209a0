-- Ranges, deep patterns, sections, shadowing, functors of functors, attributes.
-- ==
-- entry: ranges
-- input { 3i32 } output { [0, 1, 2] [0, 1, 2, 3] [3, 2, 1] [0, 2] [3u8, 2u8] [1i64, 3i64, 5i64] [10i32, 7i32, 4i32] }

-- ==
-- entry: pats
-- input { 1 } output { 21 }
-- input { 5 } output { 5 }
-- input { -3 } output { 100 }

-- ==
-- entry: sections
-- input { [1, 2, 3] } output { [0, -1, -2] [0, 1, 2] [2, 4, 8] [3, 2, 1] 6 }

-- ==
-- entry: shadow
-- input { 3 } output { 12 7 }

-- ==
-- entry: functors
-- input { 2i64 } output { 3i64 [2i64, 3i64] }

-- ==
-- entry: opens
-- input { 2 } output { 7 4 }

-- ==
-- entry: attrs
-- input { 2 } output { 4 }

entry ranges (n: i32) =
  (0..<n, 0...n, n..>0, 0..2..<n, 3u8..>1, 1..3...5i64, 10..7...4i32)

type shape = #circle {r: i32} | #rect (i32, i32) | #poly ([3](i32, i32)) | #none

def area (s: shape) (k: i32) : i32 =
  match (s, k)
  case (#circle {r}, 1) -> r * 3
  case (#rect (a, b), 1) -> a * b
  case (#poly ps, _) -> i32.sum (map (\(a, b) -> a * b) ps)
  case (#circle {r = 0}, _) -> -1
  case (#circle {r = x}, y) -> x + y
  case (#none, -3) -> 100
  case (_, z) -> z

entry pats (k: i32) =
  if k < 0 then area #none k
  else if k == 1 then area (#circle {r = 2}) k + area (#rect (3, 1)) k + area (#poly [(1, 2), (2, 2), (3, 2)]) k
  else area #none k

def f (x: i32) (y: i32) = x * 3 + y

entry sections (xs: []i32) =
  (map (1 -) xs, map (`i32.max` 0) (map (\x -> x - 1) xs), map (2 **) xs, map (% 4) (map (`f` 0) xs), (i32.+) 1 (i32.(+) 2 3))

def x = 1i32
module m = { def x = 5i32 module n = { def x = 7i32 def y = x } def z = n.y + x }

entry shadow (x: i32) =
  let y = let x = x + 1 in x * 2
  let x = m.(let y = x in y - 1 + 0)
  in (m.z, x + y - 5)

module type monoid = { type t val op : t -> t -> t val ne : t }
module lists (M: monoid) = { def fold = reduce M.op M.ne def rep (n: i64) = replicate n M.ne }
module twice (F: (M: monoid) -> { val fold [n] : [n]M.t -> M.t val rep : (n: i64) -> [n]M.t }) (M: monoid) = {
  module l = F M
  def go n = (l.fold (l.rep n), map (M.op M.ne) (l.rep n))
}
module add1 = { type t = i64 def op (a: t) (b: t) = a + b def ne = 1i64 }
module tw = twice lists add1

entry functors (n: i64) = let (a, b) = tw.go n in (a + 0, map2 (+) b (iota n))

module a = { def p = 1i32 def q = 2i32 }
module b = { open a def p = 5i32 local def h = 9i32 }
open b

entry opens (k: i32) = (p + q, m.(n.(x)) - p + k)

#[noinline]
entry attrs (#[foo] k: i32) = #[opaque] (#[sequential] (k * 2))
