-- Each occurrence of a lifted type parameter has a size of its own.
-- ==
-- entry: f0
-- input { 1i64 2i64 } output { [0i64] [0i64,1i64] 3i64 }

-- ==
-- entry: f0b
-- input { [3,1,2] } output { [3,2] [3] [3,1,2] }

-- ==
-- entry: e1
-- input { [1,2,3] } output { 3i64 6 }
def pairup '^a '^b (f: a -> b) (x: a) (y: a) : ((b, b), b -> b) = ((f x, f y), \z -> z)
def map3 '~b (f: i32 -> b) (a: i32) (b: i32) (c: i32) : {x: b, y: b, z: b} = {x = f a, y = f b, z = f c}
def both '^a '~b (f: a -> b) (p: (a, a)) : (b, b) = (f p.0, f p.1)
entry f0 (n: i64) (m: i64) = let (a, b) = both iota (n, m) in (a, b, length a + length b)
entry f0b (xs: []i32) = let r = map3 (\k -> filter (> k) xs) 1 2 0 in (r.x, r.y, r.z)
module count (P: {type~ bag 'a val size 'a : bag a -> i64 val red 'a : (a -> a -> a) -> a -> bag a -> a}) = {
  module sub = { def n 'a (b: P.bag a) = P.size b def s (b: P.bag i32) = P.red (+) 0 b }
}
module c = count {type~ bag 'a = (i64, []a) def size 'a (b: bag a) = length b.1 def red 'a (f: a -> a -> a) (x: a) (b: bag a) = reduce f x b.1}
entry e1 (xs: []i32) = (c.sub.n (0, xs), c.sub.s (0, xs))
