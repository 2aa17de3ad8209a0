-- Operators: user-defined, qualified, sections, precedence.
def (+^) (x: i32) (y: i32) = x * 10 + y
def x <+> y = x + y * 2i32
def (<|>) 'a (x: a) (_: a) = x
def a `plus` b = a i32.+ b
def infixr_ (a: i32) (b: i32) = a - b
module m = {
  def (+++) (x: i32) (y: i32) = x + y + 1
  def (**) (x: i32) (_: i32) = x
  module n = { def (->>) 'a 'b (x: a) (f: a -> b) = f x }
}

-- ==
-- entry: a
-- input { } output { 123i32 }
entry a = 1 +^ 2 +^ 3

-- ==
-- entry: b
-- input { } output { 11i32 }
entry b = 1 <+> 2 <+> 3

-- ==
-- entry: c
-- input { } output { 3i32 6i32 5i32 -5i32 }
entry c = (1 `plus` 2, (`plus` 5) 1, (7 `infixr_`) 2, (`infixr_` 7) 2)

-- ==
-- entry: d
-- input { } output { 4i32 8i32 4i32 4i32 5i32 }
entry d =
  (1 m.+++ 2, (m.+++) 3 4, (m.+++ 1) 2, (1 m.+++) 2, reduce (m.+++) 0 [1, 2])

-- ==
-- entry: e
-- input { } output { 34i32 }
entry e = m.(2 ** 5) + 2 ** 5

-- ==
-- entry: f
-- input { } output { 6i32 }
entry f = 5i32 m.n.->> (\x -> x + 1)

-- ==
-- entry: g
-- input { } output { 3i32 }
entry g = let (+^) = \(x: i32) (y: i32) -> x + y in 1 +^ 2

-- ==
-- entry: h
-- input { } output { 12i32 }
entry h = let plus a b = a * b in 3i32 `plus` 4

-- ==
-- entry: i
-- input { } output { 5i32 2i32 4i32 4i32 true -6i8 }
entry i = (3 - -2, -3 + 5, -(2) ** 2, 2 ** -(-2), !true || true, !5i8)

-- ==
-- entry: j
-- input { } output { true }
entry j = 1 < 2 && 2 <= 2 && 3 > 2 && !(1 == 2) && 1 != 2

-- ==
-- entry: k
-- input { } output { 0i32 8i32 15u8 2i32 -3i32 1i32 64i32 }
entry k = ( 1 | 2 ^ 3 & 1
          , 1 << 2 + 1
          , 0xF0u8 >> 4 | 1
          , 7 / 2 * 2 % 4
          , 7 // -2
          , 7 %% -2
          , 2 ** 3 ** 2
          )

-- ==
-- entry: l
-- input { } output { 18i32 }
entry l = [1, 2, 3] |> map (+ 1) |> map (* 2) |> reduce (+) 0

-- ==
-- entry: n
-- input { } output { 12i32 }
entry n = (reduce (+) 0 <| map (* 2) <| [1, 2, 3])

-- ==
-- entry: o
-- input { } output { 24i32 }
entry o = ((+ 1) >-> (* 2) >-> (+ 3)) 4 + ((+ 1) <-< (* 2)) 5
def (|>>) 'a 'b (x: a) (f: a -> b) : b = f x

-- ==
-- entry: p
-- input { } output { 8i32 }
entry p = 3 |>> (+ 1) |> (* 2i32)
def (==>) (a: bool) (b: bool) = !a || b

-- ==
-- entry: q
-- input { } output { false true }
entry q = (true ==> false, false ==> true && true)
def (>>=) 'a 'b
    (x: #none | #some a)
    (f: a -> (#none | #some b)) : (#none | #some b) =
  match x case #none -> #none case #some y -> f y

-- ==
-- entry: r
-- input { } output { 8i32 }
entry r : i32 =
  match (#some 3 : #none | #some i32)
        >>= (\x -> #some (x + 1))
        >>= \y -> #some (y * 2)
  case #some z -> z
  case #none -> 0

-- ==
-- entry: s
-- input { } output { 3i32 }
entry s = (1, 2) |> \(x, y) -> x + y

-- ==
-- entry: t
-- input { } output { 3i32 12i32 9i32 5i32 1i32 }
entry t = ( uncurry (+) (1, 2)
          , curry (\(x, y) -> x * y) 3 4
          , flip (-) 1 10
          , id 5
          , const 1 true
          )

-- ==
-- entry: u
-- input { } output { 9i32 }
entry u = let (x, y, z) = (1, 2, 3) let w = x + y in w * z

-- ==
-- entry: v
-- input { } output { 1i32 }
entry v = if true then 1 else 2 + if false then 3 else 4

-- ==
-- entry: w
-- input { } output { 11i32 }
entry w = 1 + if 1 < 2 then 10 else 20

-- ==
-- entry: x_
-- input { } output { 8i32 }
entry x_ = (let y = 2 in y * y) + (\z -> z + 1) 3

-- ==
-- entry: y_
-- input { } output { 64i32 }
entry y_ =
  map2 (\x y -> x * y) [1, 2, 3] [4, 5, 6] |> reduce (+) 0 |> \s -> s * 2

-- ==
-- entry: z_
-- input { } output { 7i32 }
entry z_ = (.1) (1, 2) + (.0.1) ((1, 5), 2)
