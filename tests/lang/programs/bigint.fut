-- Addition of large integers with carries found by a scan; multiplication by columns.
-- ==
-- entry: add
-- input { [1673978393u32, 384209659u32, 3184484556u32, 290193919u32, 833903335u32, 493380771u32, 2730069153u32, 13723u32] [2585392001u32, 4025679157u32, 1606662953u32, 2799158086u32, 136243083u32, 2461820029u32, 2162824421u32, 1u32] }
-- output { [4259370394u32, 114921520u32, 496180214u32, 3089352006u32, 970146418u32, 2955200800u32, 597926278u32, 13725u32] }
-- input { [4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32] [1u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32] }
-- output { [0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32] }

-- ==
-- entry: mul
-- input { [1673978393u32, 384209659u32, 3184484556u32, 290193919u32, 833903335u32, 493380771u32, 2730069153u32, 13723u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32] [2585392001u32, 4025679157u32, 1606662953u32, 2799158086u32, 136243083u32, 2461820029u32, 2162824421u32, 1u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32] }
-- output { [776382873u32, 1149802239u32, 3136145731u32, 1739295480u32, 343218679u32, 2541389099u32, 3381551873u32, 490352007u32, 1109530161u32, 1380596806u32, 3265341156u32, 2892498356u32, 2088576901u32, 2025409589u32] }

type carry = #kill | #propagate | #generate
def combine (a: carry) (b: carry) : carry =
  match b
  case #propagate -> a
  case _ -> b

entry add [n] (a: [n]u32) (b: [n]u32) : [n]u32 =
  let wide = map2 (\x y -> u64.u32 x + u64.u32 y) a b
  let kind s : carry =
    if s > 0xffffffff then #generate else if s == 0xffffffff then #propagate else #kill
  let carries = exscan combine #propagate (map kind wide)
  let fix s c = u32.u64 (s + (match c case #generate -> 1 case _ -> 0))
  in map2 fix wide carries

entry mul [n] (a: [n]u32) (b: [n]u32) : [n]u32 =
  let column k =
    loop (lo, hi) = (0u64, 0u64) for i in 0...k do
      let p = u64.u32 a[i] * u64.u32 b[k - i]
      in (lo + (p & 0xffffffff), hi + (p >> 32))
  let (los, his) = unzip (map column (iota n))
  let (_, digits) = loop (c, ds) = (0u64, replicate n 0u32) for i < n do
    let s = c + los[i] + (if i == 0 then 0 else his[i - 1])
    in (s >> 32, ds with [i] = u32.u64 s)
  in digits
