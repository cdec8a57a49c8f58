/*
 * The order of the service cards (docs/product.md 4.4, 11.5): by the position that staff set; services without a
 * position by the keyword in their name, then by name.
 */

/**
 * Keywords in service names; a service with a keyword of an earlier group comes first. 'break' is a frequent
 * misspelling of 'brake'.
 */
const keywordRanks = [['oil'], ['brake', 'break'], ['tune'], ['inspection']]

function rankOf(name: string): number {
  const lowered = name.toLowerCase()
  const rank = keywordRanks.findIndex((words) => words.some((word) => lowered.includes(word)))
  return rank === -1 ? keywordRanks.length : rank
}

/**
 * The properties of a service that determine its place in the order of the cards: the name, and the position when staff
 * have set one.
 */
type Placed = { readonly name: string; readonly position?: number | null }

/** Sorts services as visitors see them: by position, then the services without a position. */
export function orderServices<Service extends Placed>(services: readonly Service[]): Service[] {
  const placed = services.filter(({ position }) => typeof position === 'number')
  const others = services.filter(({ position }) => typeof position !== 'number')
  const byPosition = placed.sort(
    (a, b) => Number(a.position) - Number(b.position) || a.name.localeCompare(b.name, 'en-US'),
  )
  return [...byPosition, ...orderByName(others)]
}

/**
 * Sorts services without a position: oil, brakes, tune-ups, inspections, then all others, each group by name. When the
 * shop has the services 'Multipoint Inspection' and 'Brake Job', 'Multipoint Inspection' comes directly after 'Brake
 * Job'.
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

/** The icon of a service, chosen by its name (docs/product.md 2.3). */
export type ServiceKind = 'brake' | 'oil' | 'tune' | 'other'

export function serviceKind(name: string): ServiceKind {
  const kinds = ['oil', 'brake', 'tune'] as const
  return kinds[rankOf(name)] ?? 'other'
}
