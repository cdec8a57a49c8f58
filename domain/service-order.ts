/*
 * The order of the service cards (docs/product.md 4.4): by what the name is about, then by name.
 */

/** Earlier ones come first; 'break' is how some shops spell it. */
const keywordRanks = [['oil'], ['brake', 'break'], ['tune'], ['inspection']]

function rankOf(name: string): number {
  const lowered = name.toLowerCase()
  const rank = keywordRanks.findIndex((words) => words.some((word) => lowered.includes(word)))
  return rank === -1 ? keywordRanks.length : rank
}

const byName = new Intl.Collator('en-US')

/**
 * Services as visitors see them: oil first, then brakes, tune-ups, inspections and the rest, each sorted
 * by name; 'Multipoint Inspection' directly after 'Brake Job' when the shop has both.
 */
export function orderServices<Service extends { readonly name: string }>(
  services: readonly Service[],
): Service[] {
  const ordered = [...services].sort(
    (a, b) => rankOf(a.name) - rankOf(b.name) || byName.compare(a.name, b.name),
  )
  const inspection = ordered.find(({ name }) => name === 'Multipoint Inspection')
  const brakeJob = ordered.find(({ name }) => name === 'Brake Job')
  if (!inspection || !brakeJob) return ordered
  return ordered
    .filter((service) => service !== inspection)
    .flatMap((service) => (service === brakeJob ? [service, inspection] : [service]))
}

/** What the icon of a service shows, by its name (docs/product.md 2.3). */
export type ServiceKind = 'brake' | 'oil' | 'tune' | 'other'

export function serviceKind(name: string): ServiceKind {
  const kinds = ['oil', 'brake', 'tune'] as const
  return kinds[rankOf(name)] ?? 'other'
}
