/** The names of the fields of a form. */
export type NameOf<Values> = keyof Values & string

/**
 * Merges one field that the user and someone else changed. `isOverlap` is false if the result contains both changes, so
 * that the user need not choose.
 */
type FieldMerge<Value> = (
  base: Value,
  mine: Value,
  theirs: Value,
) => { readonly value: Value; readonly isOverlap: boolean }

/** The merge functions of fields whose parts are merged individually, such as a list of jobs. */
export type FieldMerges<Values> = {
  readonly [Name in NameOf<Values>]?: FieldMerge<Values[Name]>
}

export type Merged<Values> = {
  readonly values: Values
  /**
   * The fields that the user and someone else changed to different values. The merged form contains the user's values.
   */
  readonly overlaps: readonly NameOf<Values>[]
}

export const namesOf = <Values extends object>(values: Values) =>
  Object.keys(values) as NameOf<Values>[]

/**
 * Merges typed values (`mine`) with the values that someone else saved (`theirs`). Both versions are based on `base`.
 * If only one version changed a field, that version's value is used.
 */
export function mergeFields<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
  merges: FieldMerges<Values> = {},
): Merged<Values> {
  const values = { ...mine }
  const overlaps: NameOf<Values>[] = []
  for (const name of namesOf(mine)) {
    const [was, typed, saved] = [base[name], mine[name], theirs[name]]
    if (isSame(saved, was) || isSame(saved, typed)) continue
    if (isSame(typed, was)) {
      values[name] = saved
      continue
    }
    const merged = merges[name]?.(was, typed, saved)
    if (merged) values[name] = merged.value
    if (merged?.isOverlap ?? true) overlaps.push(name)
  }
  return { values, overlaps }
}

/** Whether two values have the same content. The order of an object's keys does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const entries = Object.entries(one)
  const others = new Map<string, unknown>(Object.entries(other))
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  )
}
