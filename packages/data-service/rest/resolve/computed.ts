import type { Column } from '../catalog/catalog.ts'
import type { Output, PlannedCondition, ReadPlan } from './plan.ts'

/**
 * Returns the computed columns that `plan` outputs, filters by or orders by. Excludes the computed columns of embeds.
 */
export function computedIn(plan: ReadPlan): Column[] {
  const requested = [
    ...plan.outputs.flatMap((output) => (output.kind === 'column' ? [output.value.column] : [])),
    ...plan.conditions.flatMap(columnsOf),
    ...plan.order.flatMap((term) => (term.join ? [] : [term.value.column])),
  ]
  const computed = requested.filter(({ computedBy }) => computedBy !== undefined)
  return [...new Map(computed.map((column) => [column.name, column])).values()]
}

/**
 * Replaces `*` by the column names in a plan that reads the result of a function or a write. This source also contains
 * the computed columns that the plan requests, and `*` must not include them.
 */
export function expandComputed(
  columns: ReadonlyMap<string, Column>,
  plan: ReadPlan,
): readonly Output[] {
  if (computedIn(plan).length === 0) return plan.outputs
  return plan.outputs.flatMap((output): Output[] => {
    if (output.kind !== 'all') return [output]
    return [...columns.values()].map((column) => ({
      kind: 'column',
      value: { column, path: [] },
      name: column.name,
      cast: undefined,
    }))
  })
}

function columnsOf(condition: PlannedCondition): Column[] {
  if (condition.kind === 'group') return condition.conditions.flatMap(columnsOf)
  return condition.kind === 'test' ? [condition.value.column] : []
}
