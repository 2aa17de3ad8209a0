-- Machines in a loop over a record: an interpreter, automata.
type instr = #inc | #dec | #left | #right | #out | #in | #open i64 | #close i64
def compile [n] (src: [n]u8) : [n]instr =
  let depth = scan
                (+)
                0
                (map
                   (\c -> if c == '[' then 1 else if c == ']' then -1 else 0i32)
                   src)
  let match_fwd i = (loop (j, found) = (i + 1, false) while !found do
                       if depth[j] == depth[i] - 1
                       then (j, true)
                       else (j + 1, false)).0
  let match_back i = (loop (j, found) = (i - 1, false) while !found do
                        if src[j] == '[' && depth[j] == depth[i] + 1
                        then (j, true)
                        else (j - 1, false)).0
  in map (\i -> match src[i]
                case '+' -> #inc
                case '-' -> #dec
                case '<' -> #left
                case '>' -> #right
                case '.' -> #out
                case ',' -> #in
                case '[' -> #open (match_fwd i)
                case _ -> #close (match_back i)) (iota n)
type machine [n] = { tape: [n]u8
                   , ptr: i64
                   , pc: i64
                   , outp: [64]u8
                   , nout: i64
                   , steps: i32
                   }
def run [p] (prog: [p]instr) : []u8 =
  let m0 : machine [32] = { tape = replicate 32 0
                          , ptr = 0
                          , pc = 0
                          , outp = replicate 64 0
                          , nout = 0
                          , steps = 0
                          }
  let m =
    loop m = m0 while m.pc < p && m.steps < 20000 do
      let m = m with steps = m.steps + 1
      in match prog[m.pc]
         case #inc ->
           let p = m.ptr
           let v = m.tape[p]
           in (m with tape[p] = v + 1) with pc = m.pc + 1
         case #dec ->
           let p = m.ptr
           let v = m.tape[p]
           in (m with tape[p] = v - 1) with pc = m.pc + 1
         case #left -> m with ptr = m.ptr - 1 with pc = m.pc + 1
         case #right -> m with ptr = m.ptr + 1 with pc = m.pc + 1
         case #out ->
           let v = m.tape[m.ptr]
           let k = m.nout
           in ((m with outp[k] = v) with nout = k + 1) with pc = m.pc + 1
         case #in -> m with pc = m.pc + 1
         case #open j ->
           if m.tape[m.ptr] == 0
           then m with pc = j + 1
           else m with pc = m.pc + 1
         case #close j ->
           if m.tape[m.ptr] != 0
           then m with pc = j + 1
           else m with pc = m.pc + 1
  in m.outp[:m.nout]

-- ==
-- entry: hello
-- input { }
-- output {
--   [72u8, 101u8, 108u8, 108u8, 111u8, 32u8, 87u8, 111u8, 114u8, 108u8, 100u8, 33u8]
-- }
entry hello = run
                (compile
                   "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.")
-- regular expressions as bit-parallel automata
def shift_and [n][m] (pat: [m]u8) (txt: [n]u8) : []i64 =
  let masks =
    loop masks = replicate 256 0u64 for i < m do
      let c = i64.u8 pat[i]
      let v = masks[c]
      in masks with [c] = v | (1 << u64.i64 i)
  let (hits, _) =
    loop (hits, s) = (replicate n false, 0u64) for i < n do
      let s = ((s << 1) | 1) & masks[i64.u8 txt[i]]
      in (hits with [i] = (s >> u64.i64 (m - 1)) & 1 == 1, s)
  in filter (\i -> hits[i]) (iota n) |> map (\i -> i - m + 1)

-- ==
-- entry: find
-- input { } output { [0i64, 2i64, 4i64, 9i64] }
entry find = shift_and "aba" "ababababcaba"
def rule [n] (k: u8) (xs: [n]bool) : [n]bool =
  tabulate
    n
    (\i ->
       let b j = u8.bool xs[(i + j) % n]
       in (k >> ((b (-1) << 2) | (b 0 << 1) | b 1)) & 1 == 1)

-- ==
-- entry: rule110
-- input { }
-- output {
--   [[0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32,
--   0i32], [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32, 1i32, 0i32, 0i32, 0i32, 0i32, 0i32,
--   0i32, 0i32], [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32, 1i32, 1i32, 0i32, 0i32, 0i32, 0i32,
--   0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 1i32, 1i32, 0i32, 0i32, 0i32, 1i32, 0i32, 0i32, 0i32,
--   0i32, 0i32, 0i32, 0i32]]
-- }
entry rule110 = map
                  (\i ->
                     (loop xs = replicate 16 false with [8] = true for _k < i do
                        rule 110 xs)
                     |> map i32.bool)
                  [0, 1, 2, 5]
def parens [n] (s: [n]u8) : bool =
  let d = scan
            (+)
            0
            (map (\c -> match c case '(' -> 1i32 case ')' -> -1 case _ -> 0) s)
  in all (>= 0) d && (n == 0 || last d == 0)

-- ==
-- entry: balanced
-- input { } output { true false true }
entry balanced = (parens "(()())", parens "())(", parens "")
def rle [n] (s: [n]u8) : ([]u8, []i64) =
  let starts = map (\i -> i == 0 || s[i] != s[i - 1]) (iota n)
  let is = filter (\i -> starts[i]) (iota n)
  let k = length is
  in unzip
       (map
          (\j -> (s[is[j]], (if j + 1 < k then is[j + 1] else n) - is[j]))
          (iota k))

-- ==
-- entry: runs
-- input { } output { [97u8, 98u8, 99u8, 100u8] [3i64, 1i64, 2i64, 1i64] }
entry runs = rle "aaabccd"
