import { Refusal } from '../response/refusal.ts'
import type { Relation } from '../catalog/catalog.ts'
import type { Condition, Node } from '../parse/ast.ts'

/** Refuses a PUT, unless its filters are exactly one `eq` for each column of the primary key. */
export function requireOneRow({ primaryKey }: Relation, root: Node): void {
  if (root.limit !== undefined || root.offset !== undefined) {
    throw new Refusal(400, 'PGRST114', 'limit and offset are not allowed with PUT')
  }
  const named = root.conditions.map(columnOfKey)
  const exact = primaryKey.length > 0 && named.length === primaryKey.length
  if (!exact || !primaryKey.every((name) => named.includes(name))) {
    throw new Refusal(
      405,
      'PGRST105',
      'PUT requires an eq filter for each column of the primary key',
    )
  }
}

/** Returns the error PGRST115: the primary key in the body differs from the primary key in the URL. */
export function primaryKeyMismatch(): Refusal {
  return new Refusal(
    400,
    'PGRST115',
    'The primary key in the body differs from the primary key in the URL',
  )
}

function columnOfKey(condition: Condition): string | undefined {
  if (condition.kind !== 'filter' || condition.negated) return undefined
  const { field, test } = condition
  const equal = test.kind === 'compare' && test.operator === 'eq' && test.quantifier === undefined
  return equal && field.path.length === 0 ? field.column : undefined
}
