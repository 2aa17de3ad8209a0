-- Where the context gives the size of what a constructor leaves out, a coercion checks it; [] leaves
-- it to the context; an ascription gives it.
-- ==
-- entry: ascribed
-- input { 3i64 } output { 0i64 }

-- ==
-- entry: of_context
-- input { 0 [1, 2, 3, 4] } output { 0 }
-- input { 1 [1, 2, 3, 4] } output { 10 }
-- input { 1 [1, 2, 3] } error: cannot match shape

-- ==
-- entry: left_open
-- input { true [1, 2] } output { 0i64 2i64 }
-- input { false [1, 2] } output { 2i64 2i64 }

-- ==
-- entry: parameter
-- input { [1, 2] } output { 2i64 }

type cell 'a = #full a | #free

def size [n] (c: cell ([n]i32)) = match c case #full xs -> length xs case #free -> 0 * n

entry ascribed (n: i64) = size (#free : cell ([n]i32))

entry of_context [n] (k: i32) (xs: [n]i32) =
  let c : cell ([n]i32) = if k == 0 then #free else #full xs
  in match c :> cell ([4]i32)
     case #full ys -> i32.sum ys
     case #free -> 0

entry left_open (b: bool) (xs: []i32) =
  let c = if b then (#free :> cell ([]i32)) else #full xs
  in (match c case #full ys -> length ys case #free -> 0, length xs)

def any [n] (xs: [n]i32) (c: cell ([n]i32)) : cell ([n]i32) =
  match c case #free -> #full xs case #full ys -> #full ys

entry parameter (xs: []i32) = size (any xs (#free :> cell ([]i32)))
