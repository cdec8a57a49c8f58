import type { Column } from '../catalog/catalog.ts'
import type { ReadPlan } from './plan.ts'

/** Returns the column names of the rows that `plan` reads from a source with these `columns`. */
export function outputNames(columns: ReadonlyMap<string, Column>, plan: ReadPlan): string[] {
  return plan.outputs.flatMap((output) => {
    if (output.kind === 'all') return [...columns.keys()]
    if (output.kind !== 'spread') return [output.name]
    return outputNames(output.join.relationship.target.columns, output.join.plan)
  })
}
