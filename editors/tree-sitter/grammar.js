// A tree-sitter grammar of Futhark: for highlighting, folding and movement in editors.
//
// It accepts all programs and a little more.  What the language leaves to white space is done by
// tokens: `f[x]`, with nothing before the bracket, indexes, and `f [x]` applies.  The level of an
// operator is that of the longest built-in operator that it starts with, so there is a token for
// each level.
/* eslint-disable no-undef */

const LEVEL = {
  body: 1, ascribe: 3, range: 4, backtick: 5, with: 7, pipe: 8, pipe_left: 9, or: 10, and: 11,
  compare: 12, bits: 13, shift: 14, add: 15, multiply: 16, power: 17, prefix: 18, apply: 19,
  postfix: 20,
};

const NAME = "[A-Za-z_][A-Za-z0-9_']*";
const MORE = '[-+*/%=!><|&^.]*';

// A possibly qualified operator.  `more` is for operators that others are prefixes of.
const operator = (start, more = 0) =>
  token(prec(more, new RegExp(`(${NAME}\\.)*${start}${MORE}`)));

const commas = (rule) => seq(rule, repeat(seq(',', rule)), optional(','));
const qualified = (name) => seq(repeat(seq(name, '.')), name);

module.exports = grammar({
  name: 'futhark',

  word: $ => $.name,
  extras: $ => [/\s/, $.comment],
  supertypes: $ => [$.expression, $.pattern, $.type, $.declaration],

  rules: {
    source_file: $ => repeat($.declaration),

    comment: _ => token(prec(2, /--.*/)),

    // ---- Tokens ----

    name: _ => new RegExp(NAME),
    constructor: _ => new RegExp(`#${NAME}`),
    type_variable: _ => /'[~^]?[A-Za-z_][A-Za-z0-9_]*/,
    hole: _ => '???',
    boolean: _ => choice('true', 'false'),
    string: _ => /"([^"\\]|\\.)*"/,
    character: _ => /'(\\([0-9]+|.)|[^\\'])'/,
    integer: _ => token(seq(
      choice(/[0-9][0-9_]*/, /0[xX][0-9A-Fa-f][0-9A-Fa-f_]*/, /0[bB][01][01_]*/,
        /0[rR][IVXLCDM][IVXLCDM_]*/),
      optional(/[iu](8|16|32|64)/))),
    float: _ => token(choice(
      seq(/[0-9][0-9_]*/, choice(
        seq(/\.[0-9][0-9_]*/, optional(/[eE][+-]?[0-9][0-9_]*/), optional(/f(16|32|64)/)),
        seq(/[eE][+-]?[0-9][0-9_]*/, optional(/f(16|32|64)/)),
        /f(16|32|64)/)),
      seq(/0[xX][0-9A-Fa-f][0-9A-Fa-f_]*/, /\.[0-9A-Fa-f_]+/, /[pP][+-]?[0-9_]+/,
        optional(/f(16|32|64)/)))),

    _power: _ => operator('\\*\\*', 1),
    _multiply: _ => choice('*', operator('[*/%]')),
    _add: _ => choice('-', operator('[-+]')),
    _shift: _ => operator('(<<|>>)', 1),
    _bits: _ => choice('|', operator('[&^|]')),
    _compare: _ => choice('<', operator('[<>=!]')),
    _and: _ => operator('&&', 1),
    _or: _ => operator('\\|\\|', 1),
    _pipe: _ => operator('\\|>', 1),
    _pipe_left: _ => operator('<\\|', 1),
    backtick_operator: $ => seq('`', qualified($.name), '`'),
    operator: $ => choice($._power, $._multiply, $._add, $._shift, $._bits, $._compare, $._and,
      $._or, $._pipe, $._pipe_left, '!'),
    operator_name: $ => seq('(', choice($.operator, $.backtick_operator), ')'),
    _index_bracket: _ => token.immediate(prec(1, '[')),

    // ---- Declarations ----

    declaration: $ => choice($.definition, $.type_definition, $.module_definition,
      $.module_type_definition, $.open_declaration, $.import_declaration, $.local_declaration,
      $.attributed_declaration),

    definition: $ => seq(choice('def', 'let', 'entry'), choice($._prefix_head, $._infix_head),
      optional(seq(':', field('result', $.type))), '=', field('body', $.expression)),
    _prefix_head: $ => seq(field('name', choice($.name, $.operator_name)),
      repeat($.type_parameter), repeat(field('parameter', $._atomic_pattern))),
    _infix_head: $ => seq(field('parameter', $._atomic_pattern),
      field('name', choice($.operator, $.backtick_operator)),
      field('parameter', $._atomic_pattern)),
    type_parameter: $ => choice($.type_variable, $.size_parameter),
    size_parameter: $ => seq('[', $.name, ']'),

    type_definition: $ => seq($._type_keyword, field('name', $.name), repeat($.type_parameter),
      '=', field('type', $.type)),
    _type_keyword: _ => seq('type', optional(token.immediate(/[~^]/))),
    open_declaration: $ => seq('open', $._module),
    import_declaration: $ => seq('import', $.string),
    local_declaration: $ => seq('local', $.declaration),
    attributed_declaration: $ => seq($.attribute, $.declaration),

    attribute: $ => seq('#[', $._attribute, ']'),
    _attribute: $ => choice($.integer,
      seq($.name, optional(seq('(', optional(commas($._attribute)), ')')))),

    // ---- Modules ----

    module_definition: $ => seq('module', field('name', $.name), repeat($.module_parameter),
      optional(seq(':', $._module_type)), '=', $._module),
    module_type_definition: $ => seq('module', 'type', field('name', $.name), '=', $._module_type),
    module_parameter: $ => seq('(', field('name', $.name), ':', $._module_type, ')'),

    _module: $ => choice($._module_atom, $.module_application, $.module_ascription,
      $.module_lambda),
    _module_atom: $ => choice($.qualified_name, $.module_body, $.import_module,
      $.parenthesized_module),
    module_body: $ => seq('{', repeat($.declaration), '}'),
    import_module: $ => seq('import', $.string),
    parenthesized_module: $ => seq('(', $._module, ')'),
    module_application: $ => prec.left(2, seq(choice($._module_atom, $.module_application),
      $._module_atom)),
    module_ascription: $ => prec.left(1, seq($._module, ':', $._module_type)),
    module_lambda: $ => prec.right(seq('\\', $.module_parameter,
      optional(seq(':', $._module_type_atom)), '->', $._module)),

    _module_type: $ => choice($._module_type_atom, $.refinement, $.functor_type),
    _module_type_atom: $ => choice($.qualified_name, $.specifications,
      $.parenthesized_module_type),
    parenthesized_module_type: $ => seq('(', $._module_type, ')'),
    refinement: $ => prec.left(2, seq($._module_type, 'with', qualified($.name),
      repeat($.type_parameter), '=', $.type)),
    functor_type: $ => prec.right(1, seq(choice($.module_parameter, $._module_type), '->',
      $._module_type)),
    specifications: $ => seq('{', repeat($._specification), '}'),
    _specification: $ => choice($.value_specification, $.type_specification,
      $.module_specification, $.include_specification, $.attributed_specification),
    value_specification: $ => seq('val', field('name', choice($.name, $.operator_name, $.operator)),
      repeat($.type_parameter), ':', $.type),
    type_specification: $ => seq($._type_keyword, field('name', $.name),
      repeat($.type_parameter), optional(seq('=', $.type))),
    module_specification: $ => seq('module', field('name', $.name), ':', $._module_type),
    include_specification: $ => seq('include', $._module_type),
    attributed_specification: $ => seq($.attribute, $._specification),

    // ---- Types ----

    type: $ => choice($.function_type, $.existential_type, $._simple_type),
    function_type: $ => prec.right(1, seq(choice($._simple_type, $.parameter_type), '->', $.type)),
    parameter_type: $ => seq('(', field('name', $.name), ':', $.type, ')'),
    existential_type: $ => prec.right(seq('?', repeat1($.size_parameter), '.', $.type)),
    _simple_type: $ => choice($.sum_type, $.unique_type, $.type_application, $._atomic_type),
    sum_type: $ => prec.right(seq($.sum_type_case, repeat(seq('|', $.sum_type_case)))),
    sum_type_case: $ => prec.right(seq($.constructor, repeat($._atomic_type))),
    unique_type: $ => prec(1, seq('*', $._simple_type)),
    type_application: $ => prec.left(1, seq($.qualified_type, repeat1($._type_argument))),
    _type_argument: $ => choice($.size, $.qualified_type, $.tuple_type, $.record_type),
    _atomic_type: $ => choice($.qualified_type, $.tuple_type, $.record_type, $.array_type),
    qualified_type: $ => prec.left(qualified($.name)),
    tuple_type: $ => seq('(', optional(commas($.type)), ')'),
    record_type: $ => seq('{', optional(commas(seq(field('field', choice($.name, $.integer)), ':',
      $.type))), '}'),
    array_type: $ => prec.right(2, seq($.size, choice($._atomic_type, $.type_application,
      $.unique_type, $.sum_type))),
    size: $ => seq('[', optional($.expression), ']'),

    // ---- Patterns ----

    pattern: $ => choice($._atomic_pattern, $.constructor_pattern, $.ascribed_pattern,
      $.negative_pattern),
    _atomic_pattern: $ => choice($.name, $.wildcard, $.operator_name, $._literal, $.constructor,
      $.tuple_pattern, $.record_pattern, $.attributed_pattern),
    wildcard: _ => '_',
    tuple_pattern: $ => seq('(', optional(commas($.pattern)), ')'),
    record_pattern: $ => seq('{', optional(commas($._field_pattern)), '}'),
    _field_pattern: $ => choice(
      seq(field('field', choice($.name, $.integer)), '=', $.pattern),
      seq(field('field', $.name), optional(seq(':', $.type)))),
    constructor_pattern: $ => prec.left(1, seq($.constructor, repeat1($._atomic_pattern))),
    ascribed_pattern: $ => prec.right(seq($.pattern, ':', $.type)),
    attributed_pattern: $ => prec.right(seq($.attribute, choice($._atomic_pattern,
      $.constructor_pattern, $.negative_pattern))),
    negative_pattern: $ => seq('-', choice($.integer, $.float)),

    // ---- Expressions ----

    expression: $ => choice($.ascription, $.coercion, $._plain),
    ascription: $ => prec.left(LEVEL.ascribe, seq($.expression, ':', $.type)),
    coercion: $ => prec.left(LEVEL.ascribe, seq($.expression, ':>', $.type)),
    // All but ascriptions, whose colon would be that of a slice in an index.
    _plain: $ => choice($._atom, $.application, $.binary, $.unary, $.range, $.conditional, $.let,
      $.lambda, $.loop, $.match, $.assertion, $.update, $.attributed),

    _literal: $ => choice($.integer, $.float, $.boolean, $.string, $.character),
    _atom: $ => choice($.name, $._literal, $.hole, $.constructor, $.operator_name, $.tuple,
      $.record, $.array, $.projection, $.index, $.local_open, $.left_section, $.right_section,
      $.path_section),
    tuple: $ => seq('(', optional(commas($.expression)), ')'),
    record: $ => seq('{', optional(commas($._field)), '}'),
    _field: $ => choice(field('field', $.name),
      seq(field('field', choice($.name, $.integer)), '=', $.expression)),
    array: $ => seq('[', optional(commas($.expression)), ']'),
    projection: $ => prec.left(LEVEL.postfix, seq($._atom, '.',
      field('field', choice($.name, $.integer)))),
    local_open: $ => prec.left(LEVEL.postfix, seq($._atom, '.', choice($.tuple,
      $.operator_name, $.left_section, $.right_section, $.path_section))),
    index: $ => prec.left(LEVEL.postfix, seq($._atom, $._slice)),
    _slice: $ => seq($._index_bracket, commas($._index), ']'),
    _spaced_slice: $ => seq('[', commas($._index), ']'),
    _index: $ => choice($._plain, $.range_index),
    range_index: $ => seq(optional($._plain), ':', optional($._plain),
      optional(seq(':', optional($._plain)))),
    left_section: $ => seq('(', $._plain, choice($.operator, $.backtick_operator), ')'),
    right_section: $ => seq('(', choice($.operator, $.backtick_operator), $.expression, ')'),
    path_section: $ => seq('(', '.', choice($.name, $.integer, $._slice, $._spaced_slice),
      repeat($._step), ')'),
    _step: $ => choice($._slice, seq('.', choice($.name, $.integer))),

    application: $ => prec.left(LEVEL.apply, seq(
      field('function', choice($._atom, $.application)),
      field('argument', choice($._atom, $.lambda)))),
    unary: $ => prec(LEVEL.prefix, seq(choice('-', '!'), $._plain)),
    binary: $ => choice(...[
      ['_power', LEVEL.power], ['_multiply', LEVEL.multiply], ['_add', LEVEL.add],
      ['_shift', LEVEL.shift], ['_bits', LEVEL.bits], ['_compare', LEVEL.compare],
      ['_and', LEVEL.and], ['_or', LEVEL.or], ['_pipe', LEVEL.pipe],
      ['backtick_operator', LEVEL.backtick],
    ].map(([name, level]) => prec.left(level, seq($._plain,
      field('operator', name === 'backtick_operator' ? $[name] : alias($[name], $.operator)),
      $._plain))), prec.right(LEVEL.pipe_left, seq($._plain,
      field('operator', alias($._pipe_left, $.operator)), $._plain))),
    range: $ => prec.right(LEVEL.range, seq($._plain, optional(seq('..', $._plain)),
      choice('...', '..<', '..>'), $._plain)),

    conditional: $ => prec.right(LEVEL.body, seq('if', $.expression, 'then', $.expression,
      'else', $.expression)),
    let: $ => prec.right(LEVEL.body, seq('let', choice($._let_pattern, $._let_function,
      $._let_update), '=', field('value', $.expression),
      choice(seq('in', field('body', $.expression)), field('body', $.let)))),
    _let_pattern: $ => seq(repeat($.size_parameter), $.pattern),
    _let_function: $ => seq(field('name', $.name), repeat($.type_parameter),
      repeat1(field('parameter', $._atomic_pattern)), optional(seq(':', $.type))),
    _let_update: $ => seq(field('name', $.name), repeat1($._step)),
    lambda: $ => prec.right(LEVEL.body, seq('\\', repeat1(field('parameter', $._atomic_pattern)),
      optional(seq(':', $._simple_type)), '->', field('body', $.expression))),
    loop: $ => prec.right(LEVEL.body, seq('loop', $.pattern, optional(seq('=', $.expression)),
      choice(seq('for', $.name, '<', $.expression), seq('for', $.pattern, 'in', $.expression),
        seq('while', $.expression)), 'do', field('body', $.expression))),
    match: $ => prec.right(LEVEL.body, seq('match', $.expression, repeat1($.case))),
    case: $ => prec.right(LEVEL.body, seq('case', $.pattern, '->', $.expression)),
    assertion: $ => prec.right(LEVEL.body, seq('assert', $._atom, $.expression)),
    attributed: $ => prec.right(LEVEL.body, seq($.attribute, $.expression)),
    update: $ => prec.left(LEVEL.with, seq($._plain, 'with',
      choice($._spaced_slice, $.name, $.integer), repeat($._step), '=', $._plain)),

    qualified_name: $ => prec.left(qualified($.name)),
  },
});
