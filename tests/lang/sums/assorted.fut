-- Sum types as users write them.
type shape = #circle f32 | #rect f32 f32 | #poly {n: i32, side: f32} | #point
def area (s: shape) =
  match s
  case #circle r -> f32.pi * r * r
  case #rect w h -> w * h
  case #poly {n, side} -> f32.i32 n * side
  case #point -> 0

-- ==
-- entry: a
-- input { } output { [3.14159274f32, 6f32, 10f32, 0f32] }
entry a = map area [#circle 1, #rect 2 3, #poly {n = 5, side = 2}, #point]
type tree = #leaf | #node i32 i64 i64
def build (xs: []i32) : []tree = map2
                                   (\i x ->
                                      if i % 2 == 0
                                      then #leaf
                                      else #node x (2 * i + 1) (2 * i + 2))
                                   (indices xs)
                                   xs

-- ==
-- entry: b
-- input { } output { [0i32, 14i32, 0i32, 60i32] }
entry b = map
            (\t ->
               match t case #leaf -> 0 case #node v l r -> v + i32.i64 (l * r))
            (build [1, 2, 3, 4])
type color = #red | #green | #blue
def next (c: color) : color =
  match c case #red -> #green case #green -> #blue case #blue -> #red
def to_i (c: color) = match c case #red -> 0i32 case #green -> 1 case #blue -> 2

-- ==
-- entry: c
-- input { } output { 1i32 }
entry c = to_i (loop c : color = #red for _i < 7i32 do next c)
def eqs =
  (#red : color)
  == #red
  && (#rect 1 2 : shape) != #rect 1 3
  && (#point : shape) == #point

-- ==
-- entry: d
-- input { } output { true }
entry d = eqs
type opt 'a = #none | #some a
def bind 'a 'b (x: opt a) (f: a -> opt b) : opt b =
  match x case #none -> #none case #some v -> f v
def half (x: i32) : opt i32 = if x % 2 == 0 then #some (x / 2) else #none
def get_or 'a (d: a) (x: opt a) = match x case #some v -> v case #none -> d

-- ==
-- entry: e
-- input { } output { [2i32, -1i32, -1i32] }
entry e = map (\x -> get_or (-1) (bind (half x) half)) [8, 6, 7]
def cat_some [n] 'a (d: a) (xs: [n](opt a)) : []a =
  filter (\x -> match x case #some _ -> true case #none -> false) xs
  |> map (get_or d)

-- ==
-- entry: f
-- input { } output { [1i32, 2i32] }
entry f = cat_some 0 (map half [1, 2, 3, 4])
type expr = #lit i32 | #add i64 i64 | #mul i64 i64

-- ==
-- entry: g
-- input { } output { [2i32, 3i32, 5i32, 25i32] }
entry g =
  let prog : []expr = [#lit 2, #lit 3, #add 0 1, #mul 2 2] in
  (loop vs = replicate 4 0 for i < 4 do
     vs with [i] = match prog[i]
                   case #lit x -> x
                   case #add a b -> vs[a] + vs[b]
                   case #mul a b -> vs[a] * vs[b])
def nested (x: opt (opt i32)) =
  match x case #some (#some y) -> y case #some #none -> -1 case #none -> -2

-- ==
-- entry: h
-- input { } output { [-2i32, -1i32, 4i32] }
entry h = map nested [#none, #some #none, #some (#some 4)]
def chars (s: []u8) = map
                        (\c ->
                           match c
                           case 'a' -> 1i32
                           case 'b' -> 2
                           case '\n' -> 3
                           case _ -> 0)
                        s

-- ==
-- entry: i
-- input { } output { [1i32, 2i32, 3i32, 0i32] }
entry i = chars "ab\nc"
def tup (p: (i32, bool)) =
  match p case (0, true) -> 'x' case (_, false) -> 'y' case (n, _) -> n

-- ==
-- entry: j
-- input { } output { [120i32, 121i32, 5i32] }
entry j = map tup [(0, true), (1, false), (5, true)]
def neg (x: i32) = match x case -1 -> true case 0x10 -> true case _ -> false

-- ==
-- entry: k
-- input { } output { [true, true, false] }
entry k = map neg [-1, 16, 3]
def flt (x: f32) = match x case 1.5 -> 1i32 case -2 -> 2 case _ -> 3

-- ==
-- entry: l
-- input { } output { [1i32, 2i32, 3i32] }
entry l = map flt [1.5, -2, 0]
