-- A hole may be a function, also one that takes functions: it fails when it is applied.
-- ==
-- entry: main
-- input { 1 false } output { 1 }
-- input { 1 true } error:

-- ==
-- entry: mapped
-- input { [1] false } output { [1] }
-- input { [1] true } error:

-- ==
-- entry: given
-- input { 1 false } output { 1 }

entry main (x: i32) (b: bool) : i32 = if b then ??? x 2f32 else x
entry mapped (xs: []i32) (b: bool) = if b then map ??? xs else xs

def todo (op: i32 -> i32 -> i32) (x: i32) : i32 = ??? op [x, x]

entry given (x: i32) (b: bool) : i32 = if b then todo (*) x else x

-- Holes behind names, in records and tuples, through lifted type parameters and abstract types.
def later : i32 -> bool -> [2]i32 = ???
def ops : {f: i32 -> i32, k: i32} = {f = ???, k = 3}
def undefined '^a (_: i32) : a = ???

module type shape = { type^ op val id : op val apply : op -> i32 -> i32 }
module unfinished : shape = {
  type^ op = {run: i32 -> i32, times: i32}
  def id : op = {run = \x -> x, times = 2}
  def apply (o: op) (x: i32) = o.run x * o.times
}
module also_unfinished (S: shape) = {
  def twice : S.op = ???
  def both (b: bool) (x: i32) : i32 = if b then S.apply twice x else S.apply S.id x
}
module u = also_unfinished unfinished

-- ==
-- entry: parts
-- input { 0 5 } output { 10 }
-- input { 1 5 } error: Reached hole of type: i32 -> bool -> \[2\]i32
-- input { 2 5 } error: Reached hole of type: i32 -> i32
-- input { 3 5 } output { 3 }
-- input { 4 5 } error: Reached hole
-- input { 5 5 } error: Reached hole
-- input { 6 5 } error: Reached hole
-- input { 7 5 } error: Reached hole
entry parts (k: i32) (x: i32) : i32 =
  match k
  case 0 -> u.both false x
  case 1 -> (later x true)[0]
  case 2 -> ops.f x
  case 3 -> ops.k
  case 4 -> u.both true x
  case 5 -> undefined 1 x true
  case 6 -> let (g: i32 -> i32, y: i32) = ??? in g y
  case _ -> i32.sum (map2 (undefined k) [x] [x])

-- ==
-- entry: elements
-- input { [1, 2] } error: Reached hole
-- input { empty([0]i32) } output { empty([0]i32) }
entry elements (xs: []i32) : []i32 = map (\_ -> ???) xs
