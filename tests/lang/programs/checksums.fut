-- Checksums and encodings of text.
def rotl (x: u32) (k: u32) : u32 = (x << k) | (x >> (32 - k))
def crc_table : [256]u32 =
  map
    (\i ->
       loop c = u32.i64 i for _j < 8i32 do
         if c & 1 == 1 then 0xEDB88320 ^ (c >> 1) else c >> 1)
    (iota 256)
def crc32 [n] (s: [n]u8) : u32 = !(loop c = 0xFFFFFFFFu32 for b in s do
                                     crc_table[i64.u32 ((c ^ u32.u8 b) & 0xFF)]
                                     ^ (c >> 8))

-- ==
-- entry: crc
-- input { } output { 1095738169u32 }
entry crc = crc32 "The quick brown fox jumps over the lazy dog"
def adler [n] (s: [n]u8) : u32 =
  let (a, b) =
    loop (a, b) = (1u32, 0u32) for c in s do
      let a = (a + u32.u8 c) % 65521 in (a, (b + a) % 65521)
  in (b << 16) | a

-- ==
-- entry: adler_
-- input { } output { 300286872u32 }
entry adler_ = adler "Wikipedia"
def fnv1a [n] (s: [n]u8) : u64 =
  loop h = 0xcbf29ce484222325u64 for c in s do (h ^ u64.u8 c) * 0x100000001b3

-- ==
-- entry: fnv
-- input { } output { 11831194018420276491u64 }
entry fnv = fnv1a "hello"
-- md5 of a message shorter than 56 bytes
def md5_s : [64]u32 = flatten
                        (map
                           (\r -> flatten (replicate 4 r))
                           [ [7, 12, 17, 22]
                           , [5, 9, 14, 20]
                           , [4, 11, 16, 23]
                           , [6, 10, 15, 21]
                           ]) :> [64]u32
def md5_k : [64]u32 = map
                        (\i ->
                           u32.f64
                             (f64.floor
                                (4294967296
                                 * f64.abs (f64.sin (f64.i64 (i + 1))))))
                        (iota 64)
def bytes (x: u32) : [4]u8 = map (\i -> u8.u32 (x >> u32.i64 (8 * i))) (iota 4)
def md5 [n] (msg: [n]u8) : [16]u8 =
  let padded = tabulate
                 64
                 (\i ->
                    if i < n
                    then msg[i]
                    else if i == n
                    then 0x80
                    else if i >= 56
                    then u8.i64 ((n * 8) >> (8 * (i - 56)))
                    else 0)
  let m = map
            (\i ->
               reduce
                 (|)
                 0
                 (map
                    (\j -> u32.u8 padded[4 * i + j] << u32.i64 (8 * j))
                    (iota 4)))
            (iota 16)
  let (a0, b0, c0, d0) =
    (0x67452301u32, 0xefcdab89u32, 0x98badcfeu32, 0x10325476u32)
  let (a, b, c, d) =
    loop (a, b, c, d) = (a0, b0, c0, d0) for i < 64 do
      let (f, g) =
        if i < 16 then ((b & c) | (!b & d), i)
        else if i < 32 then ((d & b) | (!d & c), (5 * i + 1) % 16)
        else if i < 48 then (b ^ c ^ d, (3 * i + 5) % 16)
        else (c ^ (b | !d), (7 * i) % 16)
      let f = f + a + md5_k[i] + m[g]
      in (d, b + rotl f md5_s[i], b, c)
  in flatten (map bytes [a0 + a, b0 + b, c0 + c, d0 + d]) :> [16]u8
def hex (xs: []u8) : []u8 = flatten
                              (map
                                 (\x ->
                                    [ ("0123456789abcdef")[i64.u8 (x >> 4)]
                                    , ("0123456789abcdef")[i64.u8 (x & 15)]
                                    ])
                                 xs)

-- ==
-- entry: md5hex
-- input { }
-- output {
--   [53u8, 101u8, 98u8, 54u8, 51u8, 98u8, 98u8, 98u8, 101u8, 48u8, 49u8, 101u8, 101u8, 101u8,
--   100u8, 48u8, 57u8, 51u8, 99u8, 98u8, 50u8, 50u8, 98u8, 98u8, 56u8, 102u8, 53u8, 97u8, 99u8,
--   100u8, 99u8, 51u8]
-- }
entry md5hex = hex (md5 "hello world")
def b64 [n] (s: [n]u8) : []u8 =
  let alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  let k = (n + 2) / 3
  in flatten (map (\i ->
                     let get j =
                       if 3 * i + j < n then u32.u8 s[3 * i + j] else 0
                     let v = (get 0 << 16) | (get 1 << 8) | get 2
                     let ch j = alphabet[i64.u32 ((v >> (18 - 6 * j)) & 63)]
                     in [ ch 0
                        , ch 1
                        , if 3 * i + 1 < n then ch 2 else '='
                        , if 3 * i + 2 < n then ch 3 else '='
                        ]) (iota k))

-- ==
-- entry: base64
-- input { }
-- output {
--   [84u8, 87u8, 70u8, 117u8, 73u8, 71u8, 108u8, 122u8, 73u8, 71u8, 82u8, 112u8, 99u8, 51u8,
--   82u8, 112u8, 98u8, 109u8, 100u8, 49u8, 97u8, 88u8, 78u8, 111u8, 90u8, 87u8, 81u8, 61u8]
-- }
entry base64 = b64 "Man is distinguished"
