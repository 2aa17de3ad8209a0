-- Expression parser with sums: tokens, shunting yard, stack machine; errors as sums.
-- ==
-- entry: calc
-- input { "1+2*3" } output { 7i64 0i32 }
-- input { "(1+2)*3-4/2" } output { 7i64 0i32 }
-- input { "2*(3+(4-1))*2" } output { 24i64 0i32 }
-- input { "1+" } output { 0i64 2i32 }
-- input { "1/0" } output { 0i64 1i32 }
-- input { "(1" } output { 0i64 2i32 }
-- input { "1 $" } output { 0i64 4i32 }
type token = #num i64 | #op u8 | #lp | #rp | #bad
type err = #div0 | #syntax | #paren | #lex
type result = #ok i64 | #err err
def isdigit (c: u8) = c >= '0' && c <= '9'
def tokenise [n] (s: [n]u8) : ([n]token, i64) =
  let (ts, k, _) =
    loop (ts, k, i) = (replicate n (#bad : token), 0i64, 0i64) while i < n do
      let c = s[i]
      in if c == ' ' then (ts, k, i + 1)
         else if isdigit c then
           let (v, j) =
             loop (v, j) = (0i64, i) while j < n && isdigit s[j] do
               (v * 10 + i64.u8 (s[j] - '0'), j + 1)
           in (ts with [k] = #num v, k + 1, j)
         else let t : token =
                match c
                case '(' -> #lp
                case ')' -> #rp
                case '+' -> #op c
                case '-' -> #op c
                case '*' -> #op c
                case '/' -> #op c
                case _ -> #bad
              in (ts with [k] = t, k + 1, i + 1)
  in (ts, k)
def prec (c: u8) : i32 =
  match c case '*' -> 2 case '/' -> 2 case '(' -> 0 case _ -> 1
type m [n] = { vals: [n]i64
             , vp: i64
             , ops: [n]u8
             , op: i64
             , e: #fine | #failed err
             }
def apply [n] (st: *m [n]) : *m [n] =
  match st.e
  case #failed _ -> st
  case #fine ->
    if st.vp < 2 then st with e = #failed #syntax
    else
      let (a, b) = (st.vals[st.vp - 2], st.vals[st.vp - 1])
      let o = st.ops[st.op - 1]
      let r : result =
        match o
        case '+' -> #ok (a + b)
        case '-' -> #ok (a - b)
        case '*' -> #ok (a * b)
        case '/' -> if b == 0 then #err #div0 else #ok (a / b)
        case _ -> #err #paren
      let vp = st.vp - 1
      let op = st.op - 1
      in match r
         case #ok v -> st with vals[vp - 1] = v with vp = vp with op = op
         case #err x -> st with e = #failed x
def failed [n] (st: m [n]) =
  match st.e case #failed _ -> true case #fine -> false
entry calc [n] (s: [n]u8) : (i64, i32) =
  let (ts, k) = tokenise s
  let st0 : *m [n + 1] =
    { vals = replicate (n + 1) 0
    , vp = 0
    , ops = replicate (n + 1) 0
    , op = 0
    , e = #fine
    }
  let st =
    loop (st: *m [n + 1]) = st0 for i < k do
      if failed st then st else
        match ts[i]
        case #num v -> let p = st.vp in st with vals[p] = v with vp = p + 1
        case #lp -> let p = st.op in st with ops[p] = '(' with op = p + 1
        case #rp ->
          let st =
            loop st while !(failed st) && st.op > 0 && st.ops[st.op - 1] != '(' do
              apply st
          in if st.op == 0
             then st with e = #failed #paren
             else let p = st.op - 1 in st with op = p
        case #op c ->
          let st =
            loop st while !(failed st)
                          && st.op > 0
                          && prec st.ops[st.op - 1] >= prec c do
              apply st
          let p = st.op
          in st with ops[p] = c with op = p + 1
        case #bad -> st with e = #failed #lex
  let st = loop st while !(failed st) && st.op > 0 do apply st
  in match st.e
     case #fine -> if st.vp == 1 then (st.vals[0], 0) else (0, 2)
     case #failed #div0 -> (0, 1)
     case #failed #syntax -> (0, 2)
     case #failed #paren -> (0, 3)
     case #failed #lex -> (0, 4)
