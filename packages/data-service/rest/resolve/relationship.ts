import { Refusal } from '../response/refusal.ts'
import type { Catalog, ForeignKey, Relation } from '../catalog/catalog.ts'
import type { ColumnPairs, Relationship } from './plan.ts'

type Candidate = Relationship & {
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'
  /**
   * The hints in `select` that refer to this relationship: the constraint, a single column on either side, or the
   * junction table.
   */
  readonly hints: readonly string[]
  /** The names that `select` may use instead of the name of the target table: the constraint or a single column. */
  readonly synonyms: readonly string[]
  /** Whether the relationship connects a relation with itself. */
  readonly self: boolean
  /** The two foreign keys of the junction table; only a many-to-many relationship has them. */
  readonly keys?: readonly [ForeignKey, ForeignKey]
}

/**
 * Finds the relationship of the table `origin` by `target` (the name of a table, foreign key or column) and by `hint`.
 */
export function findRelationship(
  catalog: Catalog,
  origin: string,
  target: string,
  hint: string | undefined,
): Relationship {
  const computed = hint === undefined ? computedFrom(catalog, origin, target) : undefined
  if (computed) return computed
  const found = candidatesFrom(catalog, origin).filter((one) => matches(one, target, hint))
  const [first] = found
  if (!first) throw noRelationship(origin, target, hint)
  if (found.length > 1) throw ambiguous(origin, target, found)
  return first
}

function isSelfColumn({ self, cardinality, synonyms }: Candidate, name: string): boolean {
  return self && cardinality === 'many-to-one' && synonyms.includes(name)
}

/**
 * Finds a computed relationship: a function that takes a row and returns rows of a relation. A computed relationship
 * hides a table of the same name.
 */
function computedFrom(catalog: Catalog, origin: string, name: string): Relationship | undefined {
  const table = catalog.relations.get(origin)
  const routine = table?.computed.get(name)
  const target = routine?.relation && catalog.relations.get(routine.relation)
  if (!table || !routine || !target) return undefined
  const { returnsMany: toMany } = routine
  return { name, target, toMany, on: [], computed: { routine, origin: table } }
}

function matches(one: Candidate, target: string, hint: string | undefined): boolean {
  // A foreign key from a table to itself results in two relationships. The name of the table selects the rows that
  // refer to a given row. The name of the column selects the one row to which the given row refers.
  const named = one.target.name === target && !(one.self && one.cardinality === 'many-to-one')
  // A target that is the name or a column of a foreign key selects the table of the key, never a view that shows the
  // columns of this table.
  const isTable = !one.target.kind.endsWith('view')
  return hint === undefined
    ? named || (isTable && one.synonyms.includes(target)) || isSelfColumn(one, target)
    : named && one.hints.includes(hint)
}

function candidatesFrom(catalog: Catalog, origin: string): Candidate[] {
  const found: Candidate[] = []
  for (const key of catalog.foreignKeys) {
    if (key.from === origin) found.push(toOne(catalog, key))
    if (key.to === origin) found.push(back(catalog, key))
  }
  return [...found, ...throughJunctions(catalog, origin)]
}

/** Returns the relationship that a foreign key defines for its own table: the referenced row. */
function toOne(catalog: Catalog, key: ForeignKey): Candidate {
  const single = key.fromColumns.length === 1 ? key.fromColumns : []
  return {
    name: key.name,
    target: relation(catalog, key.to),
    toMany: false,
    on: pair(key.toColumns, key.fromColumns),
    cardinality: key.oneToOne ? 'one-to-one' : 'many-to-one',
    hints: [key.name, ...single, ...(key.toColumns.length === 1 ? key.toColumns : [])],
    synonyms: [key.name, ...single],
    self: key.from === key.to,
  }
}

/** Returns the relationship that a foreign key defines for the referenced table: the referring rows. */
function back(catalog: Catalog, key: ForeignKey): Candidate {
  const single = key.fromColumns.length === 1 ? key.fromColumns : []
  return {
    name: key.name,
    target: relation(catalog, key.from),
    toMany: !key.oneToOne,
    on: pair(key.fromColumns, key.toColumns),
    cardinality: key.oneToOne ? 'one-to-one' : 'one-to-many',
    hints: [key.name, ...single, ...(key.toColumns.length === 1 ? key.toColumns : [])],
    synonyms: [key.name, ...(key.toColumns.length === 1 ? key.toColumns : [])],
    self: key.from === key.to,
  }
}

/**
 * Finds junction tables: when the primary key of a table contains two foreign keys, their target tables have a
 * many-to-many relationship.
 */
function throughJunctions(catalog: Catalog, origin: string): Candidate[] {
  return catalog.foreignKeys
    .filter((near) => near.to === origin && near.from !== origin)
    .flatMap((near) => {
      const table = relation(catalog, near.from)
      return catalog.foreignKeys
        .filter((far) => far.from === near.from && far.name !== near.name)
        .filter((far) =>
          [...near.fromColumns, ...far.fromColumns].every((name) =>
            table.primaryKey.includes(name),
          ),
        )
        .map((far) => manyToMany(catalog, table, near, far))
    })
}

function manyToMany(
  catalog: Catalog,
  table: Relation,
  near: ForeignKey,
  far: ForeignKey,
): Candidate {
  return {
    name: table.name,
    target: relation(catalog, far.to),
    toMany: true,
    on: pair(far.toColumns, far.fromColumns),
    junction: { table, outer: pair(near.fromColumns, near.toColumns) },
    cardinality: 'many-to-many',
    hints: [table.name],
    synonyms: [],
    self: near.to === far.to,
    keys: [near, far],
  }
}

function pair(left: readonly string[], right: readonly string[]): ColumnPairs {
  return left.map((name, index) => [name, right[index] ?? ''] as const)
}

function relation(catalog: Catalog, name: string): Relation {
  const found = catalog.relations.get(name)
  if (!found) throw new Error(`the catalog has a foreign key of ${name} but not the table`)
  return found
}

function noRelationship(origin: string, target: string, hint: string | undefined): Refusal {
  const using = hint === undefined ? '' : ` using the hint '${hint}'`
  return new Refusal(
    400,
    'PGRST200',
    `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${origin}' and '${target}'${using} in the schema 'public', but no matches were found.`,
    },
  )
}

function ambiguous(origin: string, target: string, found: readonly Candidate[]): Refusal {
  const hints = found.map((one) => `'${target}!${one.name}'`).join(', ')
  return new Refusal(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
    {
      details: found.map((one) => ({
        cardinality: one.cardinality,
        embedding: `${origin} with ${one.target.name}`,
        relationship: describe(one, origin),
      })),
      hint: `Try changing '${target}' to one of the following: ${hints}. Find the desired relationship in the 'details' key.`,
    },
  )
}

function describe(one: Candidate, origin: string): string {
  const near = one.on.map(([, outer]) => outer).join(', ')
  const far = one.on.map(([inner]) => inner).join(', ')
  if (!one.keys) return `${one.name} using ${origin}(${near}) and ${one.target.name}(${far})`
  const keys = one.keys.map(({ name, fromColumns }) => `${name}(${fromColumns.join(', ')})`)
  return `${one.name} using ${keys.join(' and ')}`
}
