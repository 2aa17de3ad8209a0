-- Two inclusions with the same type.
-- ==
-- input { 1 } output { 1 }
-- warning: Inclusion shadows type "t"
module type a = {type t val x : t}
module type b = {type t val y : t}
module type c = {include a include b}
entry main (x: i32) = x
