-- Signatures with hidden sizes and unique results, spaces of vectors, fields alone tell a type.
-- ==
-- entry: sig
-- input { [1, 2, 3] } output { [1, 2, 3] 3i64 [6] }

-- ==
-- entry: uniq
-- input { 3i64 } output { [1i64, 1i64, 2i64] [0i64, 1i64, 5i64] }

-- ==
-- entry: vec
-- input { [1f32, 2f32] } output { [2f32, 4f32] 5f32 }

-- ==
-- entry: fields
-- input { 3f32 } output { 25f32 }

-- ==
-- entry: halves
-- input { [1, 2, 3, 4] } output { [1, 2] [3, 4] }

module type S = {
  type~ t 'a
  val mk [n] 'a : [n]a -> t a
  val get 'a : t a -> []a
  val len 'a : t a -> i64
  val fold 'a : (a -> a -> a) -> a -> t a -> []a
}
module s : S = {
  type~ t 'a = ?[n].{xs: [n]a}
  def mk [n] 'a (xs: [n]a) : t a = {xs}
  def get 'a (r: t a) = r.xs
  def len 'a (r: t a) = length r.xs
  def fold 'a op ne (r: t a) = [reduce op ne r.xs]
}
entry sig (xs: []i32) = let v = s.mk xs in (s.get v, s.len v, s.fold (+) 0 v)

module type U = { val two : i64 -> (*[]i64, *[]i64) val one : i64 -> {a: *[]i64, b: i64} }
module u : U = {
  def two (n: i64) = (iota n, map (+ 1) (iota n))
  def one (n: i64) = {a = iota n, b = n}
}
entry uniq (n: i64) =
  let (a, b) = u.two n
  let a[0] = 1
  let r = u.one n
  let c = r.a
  let c[2] = 5
  in (a, c)

module type vspace = { type real type vec val scale : real -> vec -> vec val dot : vec -> vec -> real }
module type vspace2 = { type real include vspace with real = real with vec = [2]real val norm : vec -> real }
module mkv (F: real) : vspace2 with real = F.t = {
  type real = F.t
  type vec = [2]real
  def scale k = map (F.(k *))
  def dot (a: vec) (b: vec) = reduce (F.+) (F.i32 0) (map2 (F.*) a b)
  def norm v = dot v v
}
module v = mkv f32
entry vec (x: [2]f32) = (v.scale 2 x, v.norm x)

entry fields (x: f32) =
  let norm p = p.x * p.x + p.y * p.y
  let move d p = {x = p.x + d, y = p.y}
  in norm (move 1 {x, y = x})

def half [n] 't (xs: [n]t) : ([n / 2]t, []t) = (take (n / 2i64) xs, drop (n / 2) xs)
entry halves (xs: []i32) = half xs
