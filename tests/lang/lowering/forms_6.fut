-- Lowering: many small forms, part 6.

def n = i64.sum (map (\i -> i) (iota 3))
def tab : [n]i32 = replicate n 7i32
def tab2 = map (\x -> x * 2) tab
def sc = i32.sum tab2
def use (i: i64) : i32 = tab2[i] + sc
def recu (i: i64) : i32 = if i <= 0 then sc else tab[i] + recu (i-1)
-- ==
-- entry: main
-- input { [0i64,1i64] } output { [56i32,56i32] [42,49] }
entry main (xs: []i64) = (map use xs, map recu xs)
-- ==
-- entry: szd
-- input { [1,2,3] } output { [8,9,10] }
-- input { [1,2] } error: entry point arguments have invalid sizes
entry szd (ys: [n]i32) = map2 (+) tab ys
-- ==
-- entry: szr
-- input { } output { [7,7,7] }
entry szr : [n]i32 = copy tab
module type P = { val k : i64 val f : i64 -> i64 }
module F (p: P) = { def t = map p.f (iota p.k) def g (i: i64) = t[i] + p.k }
module F3 = F { def k = n def f (x: i64) = x * 3 }
module F4 = F { def k = 4i64 def f (x: i64) = x * 4 }
-- ==
-- entry: fun
-- input { [0i64,1i64] } output { [3i64,6i64] [4i64,8i64] }
entry fun (xs: []i64) = (map F3.g xs, map F4.g xs)
def cap (k: i32) = let h x = x + sc + k in map h tab
-- ==
-- entry: capt
-- input { 1 } output { [50,50,50] }
entry capt k = cap k
def bigho (f: i32 -> i32) (x: i32) : i32 = if x <= 0 then sc else f x + bigho f (x-1) + tab[0]
-- ==
-- entry: bho
-- input { 2 10 } output { 79 }
entry bho x k = bigho (\y -> y + k) x
