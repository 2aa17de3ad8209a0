local def radix_sort_step [n] 't (xs: [n]t) (get_bit: i32 -> t -> i32) (digit_n: i32): [n]t =
  let num x = get_bit (digit_n+1) x * 2 + get_bit digit_n x
  let pairwise op (a1,b1,c1,d1) (a2,b2,c2,d2) =
    (a1 `op` a2, b1 `op` b2, c1 `op` c2, d1 `op` d2)
  let bins = xs |> map num
  let flags = bins |> map (\x -> if x == 0 then (1,0,0,0)
                                 else if x == 1 then (0,1,0,0)
                                 else if x == 2 then (0,0,1,0)
                                 else (0,0,0,1))
  let offsets = scan (pairwise (+)) (0i64,0,0,0) flags
  let (na,nb,nc,_nd) = last offsets
  let f bin (a,b,c,d) =
    (-1)
    + a * (i64.bool (bin == 0)) + na * (i64.bool (bin > 0))
    + b * (i64.bool (bin == 1)) + nb * (i64.bool (bin > 1))
    + c * (i64.bool (bin == 2)) + nc * (i64.bool (bin > 2))
    + d * (i64.bool (bin == 3))
  let is = map2 f bins offsets
  in scatter (copy xs) is xs
def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): [n]t =
  let iters = if n == 0 then 0 else (num_bits+2-1)/2
  in loop xs = xs for i < iters do radix_sort_step xs get_bit (i*2)
def with_indices [n] 'a (xs: [n]a) : [n](a, i64) = zip xs (iota n)
def by_key_wrapper [n] 't sorter key num_bits get_bit (xs: [n]t) : [n]t =
  map key xs |> with_indices |> sorter num_bits (\i (k, _) -> get_bit i k)
  |> map (\(_, i : i64) -> xs[i])
def radix_sort_by_key [n] 't 'k (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): [n]t =
  by_key_wrapper radix_sort key num_bits get_bit xs
def radix_sort_int [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): [n]t =
  let get_bit' i x = let b = get_bit i x in if i == num_bits-1 then b ^ 1 else b
  in radix_sort num_bits get_bit' xs
def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t): [n]t =
  let insert [m] (ys: *[m]t) (i: i64) : *[m]t =
    let (ys, _) = loop (ys, j) = (ys, i) while j > 0 && !(leq ys[j-1] ys[j]) do
      let a = copy ys[j-1] let b = copy ys[j]
      let ys[j-1] = b let ys[j] = a in (ys, j-1)
    in ys
  in loop ys = copy xs for i < n do insert ys i
-- ==
-- entry: s1
-- input { [5,-1,3,-7] } output { [-7,-1,3,5] }
entry s1 (xs: []i32) = radix_sort_int i32.num_bits i32.get_bit xs
-- ==
-- entry: s2
-- input { [5u8,1u8,3u8] [1.0,2.0,3.0] } output { [1u8,3u8,5u8] [2.0,3.0,1.0] }
entry s2 [n] (ks: [n]u8) (vs: [n]f64) = unzip (radix_sort_by_key (.0) u8.num_bits u8.get_bit (zip ks vs))
-- ==
-- entry: s3
-- input { [5,-1,3,-7] } output { [-7,-1,3,5] }
entry s3 (xs: []i32) = merge_sort (<=) xs
