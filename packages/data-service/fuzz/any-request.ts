import fc from 'fast-check'
import {
  casts,
  functions,
  hints,
  oddColumns,
  oddValues,
  operators,
  plainValues,
  tables,
} from './vocabulary.ts'

/** Generates values of `usual`, and on average one value of `odd` for every `weight` values of `usual`. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })
const rarely = (arbitrary: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary })
const list = (arbitrary: fc.Arbitrary<string>, maxLength = 3) =>
  fc.array(arbitrary, { minLength: 1, maxLength }).map((all) => all.join(','))
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
const fixed = (text: string) => fc.constant(text)

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...plainValues) },
  { weight: 2, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
)
const path = joined(
  fc.constantFrom('->', '->>'),
  fc.constantFrom('city', '0', '-1', 'a b', '"', '>'),
)

function columnOf(columns: readonly string[]): fc.Arbitrary<string> {
  const odd = fc.oneof(fc.constantFrom(...oddColumns), fc.string({ maxLength: 8 }))
  const usual = columns.length > 0 ? fc.constantFrom(...columns) : odd
  return joined(mostly(usual, odd, 40), rarely(path))
}

function selectOf(table: string, columns: readonly string[], depth: number): fc.Arbitrary<string> {
  const alias = rarely(columnOf(columns).map((name) => `${name}:`))
  const cast = rarely(fc.constantFrom(...casts).map((type) => `::${type}`))
  const column = mostly(joined(alias, columnOf(columns), cast), fixed('*'))
  const embeds = tables[table]?.embeds ?? []
  if (depth === 0 || embeds.length === 0) return list(column)
  const embed = fc.constantFrom(...embeds).chain((target) => {
    const name = target.split('!')[0] ?? target
    const hint = rarely(fc.constantFrom(...hints).map((one) => `!${one}`))
    const inside = selectOf(name, tables[name]?.columns ?? [], depth - 1)
    return joined(alias, fixed(target), hint, fixed('('), inside, fixed(')'))
  })
  return list(mostly(column, embed, 2))
}

const test = fc.oneof(
  { weight: 3, arbitrary: value.map((one) => `eq.${one}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...operators), value, fc.array(value, { maxLength: 3 }))
      .map(
        ([operator, one, many]) =>
          `${operator}.${operator.endsWith('in') ? `(${many.join(',')})` : one}`,
      ),
  },
)

function groupOf(columns: readonly string[], depth: number): fc.Arbitrary<string> {
  const condition = joined(columnOf(columns), fixed('.'), test)
  if (depth === 0) return list(condition).map((all) => `(${all})`)
  const nested = joined(
    fc.constantFrom('and', 'or', 'not.and', 'not.or'),
    groupOf(columns, depth - 1),
  )
  return list(mostly(condition, nested, 3)).map((all) => `(${all})`)
}

type Parameter = fc.Arbitrary<readonly [string, string]>

function parameterOf(table: string, columns: readonly string[]): Parameter {
  const column = columnOf(columns)
  const direction = fc.constantFrom('', '.asc', '.desc', '.desc.nullslast', '(name)', '.nope')
  const number = mostly(fc.integer({ min: 0, max: 2000 }).map(String), value, 3)
  const embed = fc.constantFrom(...(tables[table]?.embeds ?? []), 'nope')
  const embedded = embed.map((target) => target.split('!')[0] ?? target)
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fixed('select'), selectOf(table, columns, 2)) },
    { weight: 6, arbitrary: fc.tuple(column, test) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('and', 'or', 'not.or'), groupOf(columns, 2)) },
    { weight: 2, arbitrary: fc.tuple(fixed('order'), list(joined(column, direction))) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('limit', 'offset'), number) },
    fc.tuple(joined(embedded, fc.constantFrom('', '.id', '.or', '.order', '.limit')), test),
    fc.tuple(fc.constantFrom('columns', 'on_conflict'), list(column)),
  )
}

const prefer = fc.subarray(
  [
    'return=representation',
    'return=minimal',
    'return=headers-only',
    'count=exact',
    'count=planned',

    'resolution=merge-duplicates',
    'resolution=ignore-duplicates',
    'missing=default',
    'count=estimated',
    'handling=strict',
    'timezone=Asia/Tokyo',
    'tx=rollback',
  ],
  { maxLength: 3 },
)
const methods = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'POST',
  'PATCH',
  'PATCH',
  'DELETE',
  'PUT',
] as const
const range = fc.constantFrom(undefined, undefined, '0-1', '5-2', 'x')
const accept = mostly(
  fixed('*/*'),
  fc.constantFrom('application/vnd.pgrst.object+json', 'text/csv', 'x'),
  15,
)

function bodyOf(names: readonly string[]): fc.Arbitrary<string> {
  const cell = fc.oneof(value, fc.integer(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }))
  const row = fc.dictionary(columnOf(names), cell, { maxKeys: 4 })
  const json = fc.oneof(row, row, fc.array(row, { maxLength: 3 }), fc.jsonValue({ maxDepth: 4 }))
  return mostly(
    json.map((one) => JSON.stringify(one)),
    value,
  )
}

function requestOf(target: string, parameter: Parameter, names: readonly string[]) {
  return fc.record({
    method: fc.constantFrom(...methods),
    path: fixed(encodeSafely(target)),
    query: fc
      .array(parameter, { maxLength: 3 })
      .map((all) => all.map((pair) => pair.map(encodeSafely).join('=')).join('&')),
    body: bodyOf(names),
    prefer: prefer.map((all) => all.join(', ')),
    accept,
    range,
  })
}

/** Generates a random request. Most requests resemble a valid request, so that many pass the parser. */
export const anyRequest = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...Object.entries(tables))
      .chain(([name, { columns }]) => requestOf(name, parameterOf(name, columns), columns)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...Object.entries(functions)).chain(([name, { args, columns }]) => {
      const argument = fc.tuple(fc.constantFrom(...args, 'nope'), value)
      const parameter = mostly<readonly [string, string]>(argument, parameterOf(name, columns), 3)
      return requestOf(`rpc/${name}`, parameter, args)
    }),
  },
)

export type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer Request> ? Request : never

/**
 * Percent-encodes a text. A URL cannot contain a lone surrogate, so the replacement character is encoded in its place.
 */
function encodeSafely(text: string): string {
  return text.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
