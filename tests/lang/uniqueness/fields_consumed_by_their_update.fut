-- The new value of a field may consume the old one: nothing else of the record is gone.
-- ==
-- entry: main
-- input { [1, 2] [3, 4] } output { [9, 2] [3, 4] }

-- ==
-- entry: let_field
-- input { [1, 2] [3, 4] } output { [1, 2] [4, 9] }

-- ==
-- entry: stacks
-- input { [5, 6, 7] } output { [5, 6, 7, 0] 3i64 }

-- ==
-- entry: nested
-- input { [1, 2] [3, 4] } output { [8, 2] [3, 4] 1 }

-- ==
-- entry: tuple
-- input { [1, 2] [3, 4] } output { [1, 2] [7, 4] }

def put (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x

entry main (a: *[]i32) (b: *[]i32) =
  let r = {a, b}
  let r = r with a = (r.a with [0] = 9)
  in (r.a, r.b)

entry let_field (a: *[]i32) (b: *[]i32) =
  let r = {a, b}
  let r.b = put r.b 0 4
  let r.b = put r.b 1 9
  in (r.a, r.b)

type stack [n] = {items: [n]i32, top: i64}

def push [n] (s: *stack [n]) (x: i32) : *stack [n] =
  let s.items = put s.items s.top x
  let s.top = s.top + 1
  in s

entry stacks (xs: []i32) =
  let s = loop s = {items = replicate 4 0, top = 0} for x in xs do push s x
  in (s.items, s.top)

entry nested (a: *[]i32) (b: *[]i32) =
  let r = {p = {a, b}, k = 1i32}
  let r.p.a = put r.p.a 0 8
  in (r.p.a, r.p.b, r.k)

entry tuple (a: *[]i32) (b: *[]i32) =
  let t = (a, b)
  in t with 1 = put t.1 0 7
