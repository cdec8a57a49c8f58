import fc from 'fast-check'

// Generates short requests whose cost grows faster than their length. Without cost limits, each kind of request could
// cause gigabytes of memory use or seconds of CPU time in the service.

type Parameter = readonly [key: string, value: string]

/** Tables with one-to-one relationships, so that embeds can alternate between the tables to any depth. */
const pairs = [
  ['authors', 'author_details'],
  ['author_details', 'authors'],
] as const
const toMany = ['books!author_id', 'books!editor_id'] as const

const count = (max: number) => fc.nat({ max }).map((n) => n + 1)
const repeat = (part: fc.Arbitrary<string>, max: number) =>
  fc.tuple(part, count(max)).map(([text, times]) => Array.from({ length: times }, () => text))
const listed = (part: fc.Arbitrary<string>, max: number) =>
  repeat(part, max).map((parts) => parts.join(','))

/**
 * Generates nested embeds, each ordered by columns of the next embed. A statement that writes an embed once for each
 * order term would contain `(terms + 1) ^ depth` copies.
 */
const nestedOrders = fc
  .tuple(fc.constantFrom(...pairs), fc.integer({ min: 1, max: 10 }), count(8))
  .map(([[near, far], depth, terms]): { table: string; parameters: Parameter[] } => {
    const names = Array.from({ length: depth }, (_, level) => (level % 2 === 0 ? far : near))
    const select = names.reduceRight((inside, name) => `${name}(*${inside && `,${inside}`})`, '')
    const orders = names.map((name, level): Parameter => {
      const path = names.slice(0, level).map((one) => `${one}.`)
      const sorted = `${name}(${name === 'authors' ? 'id' : 'author_id'})`
      return [`${path.join('')}order`, Array.from({ length: terms }, () => sorted).join(',')]
    })
    return { table: near, parameters: [['select', select], ...orders] }
  })

/** Generates many embeds of one table, and many order terms that refer to the embeds. */
const wideOrders = fc
  .tuple(count(30), count(200), fc.constantFrom('author_details', ...toMany))
  .map(([embeds, terms, target]): { table: string; parameters: Parameter[] } => {
    const all = Array.from({ length: embeds }, (_, n) => `e${n}:${target}(*)`)
    const orders = Array.from({ length: terms }, (_, n) => `e${n % embeds}(author_id)`)
    return {
      table: 'authors',
      parameters: [
        ['select', `id,${all.join(',')}`],
        ['order', orders.join(',')],
      ],
    }
  })

const arrows = fc
  .tuple(fc.constantFrom('->', '->>'), fc.constantFrom('a', '0', '-1', '"'), count(200))
  .map(([arrow, key, times]) => `profile${`${arrow}${key}`.repeat(times)}`)
const test = fc.constantFrom(
  'eq.1',
  'is.null',
  `like.${'%a'.repeat(60)}`,
  `ilike.*${'_%'.repeat(60)}`,
  `in.(${'1,'.repeat(400)}1)`,
  `in.(${'"\\",'.repeat(100)}1)`,
  `cs.{${'x,'.repeat(200)}x}`,
)
const logic = fc.tuple(count(12), count(60), test).map(([depth, width, operator]) => {
  const leaf = Array.from({ length: width }, () => `name.${operator}`).join(',')
  return `${'(or'.repeat(depth)}(${leaf})${')'.repeat(depth)}`
})

const longWinded = fc
  .array(
    fc.oneof<fc.Arbitrary<Parameter>[]>(
      fc.tuple(
        fc.constant('select'),
        listed(fc.constantFrom('id', '*', 'x:name', 'id::text'), 400),
      ),
      fc.tuple(fc.constant('select'), listed(arrows, 6)),
      fc.tuple(
        fc.constant('select'),
        fc.nat({ max: 15_000 }).map((n) => `${'a'.repeat(n)}:id`),
      ),
      fc.tuple(fc.constant('order'), listed(fc.oneof(arrows, fc.constant('id')), 200)),
      fc.tuple(fc.constant('order'), listed(fc.constant('profile->0'), 1_600)),
      fc.tuple(fc.oneof(arrows, fc.constant('name')), test),
      fc.tuple(fc.constantFrom('or', 'not.and'), logic),
      fc.tuple(fc.constant('columns'), listed(fc.constant('name'), 500)),
      fc.tuple(fc.constant('on_conflict'), listed(fc.constant('id'), 500)),
      fc.tuple(fc.constant('offset'), fc.constant('999999999999999')),
      fc.tuple(fc.constant(`"${'\\"'.repeat(200)}`), test),
    ),
    { maxLength: 60 },
  )
  .map((parameters) => ({ table: 'authors', parameters }))

/** Generates a short but costly request of a visitor or a signed-in user. */
export const costlyRequest = fc.record({
  costlyQuery: fc.oneof(nestedOrders, wideOrders, longWinded),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH'),
  prefer: fc.constantFrom('', 'count=exact', 'count=estimated', 'return=representation'),
  signedIn: fc.boolean(),
})

export type CostlyRequest = typeof costlyRequest extends fc.Arbitrary<infer One> ? One : never
