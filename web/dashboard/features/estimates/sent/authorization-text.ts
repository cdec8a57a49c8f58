import type { Authorization } from '#contracts/estimates/estimates.ts'

const ways: Readonly<Record<Authorization['method'], string>> = {
  web: 'online',
  in_person: 'in person',
  phone: 'by phone',
  text: 'by text message',
  email: 'by email',
  signature: 'by signature',
  shop: 'by the shop',
}

/**
 * An entry of the list of authorizations: the jobs about which the customer made the same decision at the same time.
 */
export type AuthorizationBatch = {
  readonly id: string
  readonly decision: Authorization['decision']
  readonly title: string
  readonly jobs: string
  readonly more: string
  readonly cents: number
  readonly decidedAt: string
  readonly recordedBy: string
  /**
   * The reason why the authorizations of the entry no longer apply, for example because the estimate is now for another
   * vehicle; '' while they apply.
   */
  readonly voidText: string
}

const voidText: Readonly<Record<NonNullable<Authorization['voidBecause']>, string>> = {
  customer: 'This decision does not count: the estimate is for another customer now.',
  wrong_recipient: 'This decision does not count: the estimate was sent to the wrong recipient.',
  vehicle: 'This decision does not count: the estimate is for another vehicle now.',
}

/**
 * Groups the authorizations that were recorded together and contain the same decision. The groups are in the order of
 * recording.
 */
export function groupBatches(lines: readonly Authorization[]): AuthorizationBatch[] {
  const groups = Map.groupBy(lines, ({ batchId, decision }) => `${batchId} ${decision}`)
  return [...groups].flatMap(([id, group]) => {
    const [first] = group
    if (!first) return []
    const hadMore = lines.some(
      ({ id: line, decision }) => line < first.id && decision === 'approved',
    )
    return {
      id,
      decision: first.decision,
      title: batchTitle(first, hadMore),
      jobs: `${group.map(({ jobTitle }) => jobTitle).join(', ')}.`,
      more: moreOf(first),
      cents: group.reduce((sum, { amountCents }) => sum + amountCents, 0),
      decidedAt: first.decidedAt,
      recordedBy: first.method === 'web' ? '' : first.recordedBy,
      // When the shop withdraws an approval, a separate entry records the withdrawal and makes the earlier
      // authorizations void. The page shows the reason at the void entries, not at the entry of the withdrawal.
      voidText: first.voidBecause && first.method !== 'shop' ? voidText[first.voidBecause] : '',
    }
  })
}

export function batchTitle(line: Authorization, hadMore: boolean): string {
  const { decision, method, contact, decidedByName } = line
  if (method === 'shop') return `Withdrawn: wrong recipient ${contact}`.trim()
  if (decision === 'approved' && hadMore && method !== 'web') {
    return `Added work ${[ways[method], contact].filter(Boolean).join(' ')}`
  }
  const what = { approved: 'Approved', declined: 'Declined', withdrawn: 'Withdrawn' }[decision]
  const where = method === 'web' ? '' : contact
  return [what, 'by', decidedByName, ways[method], where].filter(Boolean).join(' ')
}

/**
 * The name of the person who approved or declined the jobs, that person's statement, and whether that person wants the
 * replaced parts.
 */
function moreOf({
  method,
  decidedByName,
  relationship,
  statement,
  wantsPartsBack,
}: Authorization): string {
  if (method === 'shop') return ''
  const decidedBy = relationship ? `${decidedByName} (${relationship})` : decidedByName
  return [
    method === 'web'
      ? 'Typed the name.'
      : method === 'phone'
        ? `Spoke to ${decidedBy}.`
        : `${decidedBy}.`,
    method !== 'web' && statement && `“${statement}”`,
    wantsPartsBack && 'The customer wants the replaced parts.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The latest valid authorization of a job. */
export function latestAuthorizationOf(
  lines: readonly Authorization[],
  key: string,
): Authorization | undefined {
  return lines.findLast(({ jobKey, voidBecause }) => jobKey === key && voidBecause === null)
}
