; Highlighting of Futhark programs.

["if" "then" "else" "match" "case"] @keyword.conditional
["loop" "for" "while" "do"] @keyword.repeat
["let" "in" "with" "assert"] @keyword
["def" "entry" "val" "local"] @keyword.function
["type" "module"] @keyword.type
["import" "open" "include"] @keyword.import

; "true" and "false"
(boolean) @boolean
(integer) @number
(float) @number.float
(string) @string
(character) @character
(comment) @comment
(hole) @error
(constructor) @constructor
(attribute) @attribute
(wildcard) @variable.builtin

(name) @variable
(definition name: (name) @function)
(definition parameter: (name) @variable.parameter)
(let name: (name) @function)
(let parameter: (name) @variable.parameter)
(lambda parameter: (name) @variable.parameter)
(value_specification name: (name) @function)
(application function: (name) @function.call)
(projection field: (name) @property)
(record field: (name) @property)
(record_pattern field: (name) @property)
(record_type field: (name) @property)

(qualified_type (name) @type)
((qualified_type (name) @type.builtin)
  (#any-of? @type.builtin
    "i8" "i16" "i32" "i64" "u8" "u16" "u32" "u64" "f16" "f32" "f64" "bool"))
(type_definition name: (name) @type)
(type_specification name: (name) @type)
(type_variable) @type
(size_parameter (name) @variable.parameter)

(module_definition name: (name) @module)
(module_type_definition name: (name) @module)
(module_specification name: (name) @module)
(module_parameter name: (name) @module)
(qualified_name (name) @module)

(operator) @operator
(backtick_operator) @operator
["=" ":" ":>" "->" "\\" ".." "..." "..<" "..>" "?"] @operator
["(" ")" "[" "]" "{" "}" "#["] @punctuation.bracket
["," "."] @punctuation.delimiter
