-- A loop whose state is a sum, which says when it ends.
-- ==
-- input { 5 } output { 120 }
type st = #run i32 i32 | #done i32
entry main (n: i32) =
  let r =
    loop (s: st) = #run n 1 while (match s
                                   case #run _ _ -> true
                                   case #done _ -> false) do
      (match s
       case #run 0 a -> #done a
       case #run k a -> #run (k - 1) (a * k)
       case #done a -> #done a)
  in match r case #done a -> a case #run _ _ -> -1
