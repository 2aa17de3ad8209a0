-- Searching and counting in strings.
-- ==
-- entry: find
-- input { "abracadabra abra" "abra" }
-- output { [0i64, 7i64, 12i64] }
-- input { "abracadabra abra" "zz" }
-- output { empty([0]i64) }

-- ==
-- entry: words
-- input { "the quick  brown fox" }
-- output { 4i64 }
-- input { empty([0]u8) }
-- output { 0i64 }

-- ==
-- entry: upper
-- input { "Ab1z" }
-- output { "AB1Z" }

-- ==
-- entry: number
-- input { "12,345" }
-- output { 12345i64 }

-- ==
-- entry: greeting
-- input { }
-- output { [104u8, 101u8, 108u8, 108u8, 111u8, 44u8, 32u8, 119u8, 111u8, 114u8, 108u8, 100u8, 9u8, 34u8, 206u8, 187u8, 34u8] }

def matches [n][m] (text: [n]u8) (pat: [m]u8) (i: i64) : bool =
  i + m <= n && (loop (j, ok) = (0, true) while ok && j < m do (j + 1, text[i + j] == pat[j])).1

entry find [n][m] (text: [n]u8) (pat: [m]u8) : []i64 =
  filter (matches text pat) (iota n)

def is_space (c: u8) = c == ' ' || c == '\n'

entry words [n] (text: [n]u8) : i64 =
  let starts i = !is_space text[i] && (i == 0 || is_space text[i - 1])
  in length (filter starts (iota n))

entry upper (text: []u8) : []u8 =
  map (\c -> if c >= 'a' && c <= 'z' then c - 'a' + 'A' else c) text

entry number (text: []u8) : i64 =
  foldl (\acc c -> if c < '0' || c > '9' then acc else acc * 10 + i64.u8 (c - '0')) 0 text

entry greeting : []u8 = "hello, " ++ "world\t\"\955\""
