import type { Condition, Node, OrderTerm, Payload, Query, SelectItem } from './ast.ts'

// The weights estimate the work of building and planning a statement and of storing its plan. The unit is one selected
// column. On PostgreSQL 18, a joined relation takes about 30 times as long as a column.
const perEmbed = 15
const perOrderTerm = 2
const charactersPerUnit = 100
const bodyCharactersPerUnit = 4_000

/**
 * Returns the cost of a request in units of one selected column. Each part of the request, each step into JSON, and the
 * length of the request add to the cost. The cost depends only on the parsed request; the function resolves no name.
 */
export function costOf(query: Query, queryLength: number, payload?: Payload): number {
  const names = (query.columns?.length ?? 0) + (query.onConflict?.length ?? 0) + query.args.size
  const length = Math.floor(queryLength / charactersPerUnit)
  return costOfNode(query.root) + names + length + (payload ? costOfBody(payload) : 0)
}

function costOfBody({ text, keys }: Payload): number {
  return keys.length + Math.floor(text.length / bodyCharactersPerUnit)
}

function costOfNode({ items, conditions, order, embeds }: Node): number {
  return sum([
    ...items.map(costOfItem),
    ...conditions.map(costOfCondition),
    ...order.map(costOfTerm),
    ...[...embeds.values()].map(costOfNode),
  ])
}

function costOfItem(item: SelectItem): number {
  if (item.kind === 'embed') return perEmbed
  return item.kind === 'column' ? 1 + item.field.path.length : 1
}

function costOfCondition(condition: Condition): number {
  if (condition.kind === 'filter') return 1 + condition.field.path.length
  return 1 + sum(condition.conditions.map(costOfCondition))
}

function costOfTerm({ field }: OrderTerm): number {
  return perOrderTerm + field.path.length
}

function sum(costs: readonly number[]): number {
  return costs.reduce((total, cost) => total + cost, 0)
}
