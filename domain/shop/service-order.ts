/*
 * The order of the service cards (docs/product.md 4.4, 11.5): by the position that staff set, else by the keyword in
 * the name, then by name.
 */

/** Groups of keywords in display order; 'break' is a frequent misspelling. */
const keywordRanks = [['oil'], ['brake', 'break'], ['tune'], ['inspection']]

function rankOf(name: string): number {
  const lowered = name.toLowerCase()
  const rank = keywordRanks.findIndex((words) => words.some((word) => lowered.includes(word)))
  return rank === -1 ? keywordRanks.length : rank
}

/** The properties that decide the order: the name, and the position once staff have set one. */
type Placed = { readonly name: string; readonly position?: number | null }

/** Services in the order that visitors see: by position, then those without a position. */
export function orderServices<Service extends Placed>(services: readonly Service[]): Service[] {
  const placed = services.filter(({ position }) => typeof position === 'number')
  const others = services.filter(({ position }) => typeof position !== 'number')
  const byPosition = placed.sort(
    (a, b) => Number(a.position) - Number(b.position) || a.name.localeCompare(b.name, 'en-US'),
  )
  return [...byPosition, ...orderByName(others)]
}

/**
 * Oil first, then brakes, tune-ups, inspections and the rest, each sorted by name; 'Multipoint Inspection' directly
 * after 'Brake Job' when the shop has both.
 */
function orderByName<Service extends Placed>(services: readonly Service[]): Service[] {
  const ordered = [...services].sort(
    (a, b) => rankOf(a.name) - rankOf(b.name) || a.name.localeCompare(b.name, 'en-US'),
  )
  const inspection = ordered.find(({ name }) => name === 'Multipoint Inspection')
  const brakeJob = ordered.find(({ name }) => name === 'Brake Job')
  if (!inspection || !brakeJob) return ordered
  return ordered
    .filter((service) => service !== inspection)
    .flatMap((service) => (service === brakeJob ? [service, inspection] : [service]))
}

/** The kind of icon of a service, derived from its name (docs/product.md 2.3). */
export type ServiceKind = 'brake' | 'oil' | 'tune' | 'other'

export function serviceKind(name: string): ServiceKind {
  const kinds = ['oil', 'brake', 'tune'] as const
  return kinds[rankOf(name)] ?? 'other'
}
