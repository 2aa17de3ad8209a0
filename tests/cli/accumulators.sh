# Programs with accumulators that check and cannot be compiled.
. "$(dirname "$0")/lib.sh"

cat >other.fut <<'END'
entry f (d: *[3]i64) =
  intrinsics.scatter_stream d
    (\acc i ->
       let x = intrinsics.scatter_stream [0i64, 0, 0]
                 (\(_: *intrinsics.acc ([3]i64)) _ -> acc) [1i64]
       in intrinsics.acc_write acc i x[0])
    [1i64]
END
cat >recursive.fut <<'END'
def go [n] (acc: *intrinsics.acc ([n]i64)) (k: i64) : *intrinsics.acc ([n]i64) =
  if k == 0 then acc else go (intrinsics.acc_write acc k 1) (k - 1)
entry f (d: *[]i64) = intrinsics.scatter_stream d (\acc i -> go acc i) [1i64]
END
cat >sum.fut <<'END'
type~ maybe '~a = #some a | #none
entry f (d: *[]i64) =
  intrinsics.scatter_stream d
    (\acc i -> match (if i > 0 then #some acc else #some acc : maybe (intrinsics.acc ([]i64)))
               case #some a -> intrinsics.acc_write a i 1
               case #none -> ???)
    [1i64]
END

about "another accumulator is given back"
run raido c -w -o x other.fut
exits 2
complains '^Error at other\.fut:4:16-'
complains 'must return the accumulator that it is given'

about "a recursive function"
run raido c -w -o x recursive.fut
exits 2
complains '^Error at recursive\.fut:1:5-7:$'
complains 'A recursive function cannot be given an accumulator'

about "a sum type"
run raido c -w -o x sum.fut
exits 2
complains 'An accumulator cannot be part of a sum type'
finish
