-- Records: nested, updated, as patterns, with functions.
type point = {x: f32, y: f32}
type line = {from: point, to: point, name: [3]u8}
def l0 : line = {from = {x = 0, y = 1}, to = {x = 2, y = 3}, name = "abc"}
def len ({from, to, name = _}: line) =
  f32.sqrt ((from.x - to.x) ** 2 + (from.y - to.y) ** 2)

-- ==
-- entry: a
-- input { } output { 2.82842708f32 }
entry a = len l0

-- ==
-- entry: b
-- input { } output { 10f32 }
entry b = (l0 with from.x = 10 with name = "xyz").from.x

-- ==
-- entry: c
-- input { } output { 9f32 [97u8, 81u8, 99u8] }
entry c = let l = copy l0 let l.to.y = 9 let l.name[1] = 'Q' in (l.to.y, l.name)

-- ==
-- entry: d
-- input { } output { [1f32, 5f32] }
entry d = map (.from.y) [l0, l0 with from.y = 5]

-- ==
-- entry: e
-- input { } output { 12i32 }
entry e = let f {a, b} = a * b in f {b = 3i32, a = 4}

-- ==
-- entry: f_
-- input { } output { true }
entry f_ = {0 = 1i32, 1 = true}.1

-- ==
-- entry: g
-- input { } output { 2f32 }
entry g = let x = 1i32 let y = 2f32 in ({x, y}).y
def upd [n] (ps: *[n]point) (i: i64) : *[n]point = ps with [i].x = 42

-- ==
-- entry: h
-- input { } output { [1f32, 42f32] }
entry h = map (.x) (upd [{x = 1, y = 2}, {x = 3, y = 4}] 1)
type nested = {a: {b: {c: [2]i32, d: bool}, e: (i32, i32)}}
def n0 : nested = {a = {b = {c = [1, 2], d = true}, e = (3, 4)}}

-- ==
-- entry: i
-- input { } output { 8i32 }
entry i = (n0 with a.b.d = false with a.e = (7, 8)).a.e.1

-- ==
-- entry: j
-- input { } output { [99i32, 2i32] }
entry j = let n = copy n0 let n.a.b.c[0] = 99 in n.a.b.c

-- ==
-- entry: k
-- input { } output { 7i32 }
entry k = (\{a, b = (c, d)} -> a + c * d) {a = 1i32, b = (2, 3)}

-- ==
-- entry: l
-- input { } output { [2f32, 13f32] }
entry l = map
            (\(i, {x, y}) -> f32.i64 i + x * y)
            (zip (iota 2) [{x = 1f32, y = 2}, {x = 3, y = 4}])

-- ==
-- entry: m
-- input { } output { 2i32 }
entry m = (.[1].a) [{a = 1i32}, {a = 2}]

-- ==
-- entry: n
-- input { } output { 8i32 }
entry n = let r = {f = (+ 1i32), g = \x -> x * 2i32} in r.g (r.f 3)

-- ==
-- entry: o
-- input { } output { true }
entry o = ({}, (), {} == ()).2
