-- Radix sort one bit at a time, of keys alone and of pairs with a key function.
-- ==
-- input { [2871841566u32, 1982966162u32, 502922616u32, 253207296u32, 3299535553u32, 1063497603u32, 3742728880u32, 346094055u32, 1929245186u32, 2359826449u32, 3794104665u32, 3518780121u32, 3797579269u32, 4113424221u32, 648200381u32, 756849392u32, 1002170858u32, 2530266207u32, 1128488133u32, 17581913u32] }
-- output { [17581913u32, 253207296u32, 346094055u32, 502922616u32, 648200381u32, 756849392u32, 1002170858u32, 1063497603u32, 1128488133u32, 1929245186u32, 1982966162u32, 2359826449u32, 2530266207u32, 2871841566u32, 3299535553u32, 3518780121u32, 3742728880u32, 3794104665u32, 3797579269u32, 4113424221u32] }
-- input { empty([0]u32) }
-- output { empty([0]u32) }

-- ==
-- entry: signed
-- input { [7i32, 36i32, -6i32, 56i32, 44i32, -19i32, -68i32, 76i32, 31i32, 58i32, 67i32, 73i32, 89i32, -87i32, 16i32] }
-- output { [-87i32, -68i32, -19i32, -6i32, 7i32, 16i32, 31i32, 36i32, 44i32, 56i32, 58i32, 67i32, 73i32, 76i32, 89i32] [13i64, 6i64, 5i64, 2i64, 0i64, 14i64, 8i64, 1i64, 4i64, 3i64, 9i64, 10i64, 11i64, 7i64, 12i64] }

def step [n] 't (bit: t -> i32) (xs: [n]t) : [n]t =
  let bits = map (\x -> i64.i32 (bit x)) xs
  let zeros = map (1 -) bits
  let at0 = scan (+) 0 zeros
  let nzeros = if n == 0 then 0 else last at0
  let at1 = map (+ nzeros) (scan (+) 0 bits)
  let is = map3 (\b i j -> if b == 0 then i - 1 else j - 1) bits at0 at1
  in scatter (copy xs) is xs

def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t) : [n]t =
  loop xs for i < num_bits do step (get_bit i) xs

def by_key [n] 't 'k (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t) =
  radix_sort num_bits (\i x -> get_bit i (key x)) xs

entry main (xs: []u32) = radix_sort u32.num_bits u32.get_bit xs

def signed_bit (i: i32) (x: i32) =
  let b = i32.get_bit i x
  in if i == 31 then b ^ 1 else b

entry signed [n] (xs: [n]i32) =
  unzip (by_key (.0) i32.num_bits signed_bit (zip xs (iota n)))
