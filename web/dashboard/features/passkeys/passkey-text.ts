import type { Passkey } from '#contracts/passkeys.ts'
import { formatInstantDate, shopToday } from '#domain/calendar/shop-time.ts'

/** The dates on which a passkey was created and last used: 'Made Nov 3, 2026. Used today.' */
export function describeUse({ createdAt, lastUsedAt, formerHost }: Passkey, now: Date): string {
  const made = `Made ${formatInstantDate(createdAt)}.`
  const used = lastUsedAt === null ? 'Not used yet.' : `Used ${dayOf(lastUsedAt, now)}.`
  return formerHost === null ? `${made} ${used}` : `${made} ${used} Works at ${formerHost} only.`
}

function dayOf(instant: string, now: Date): string {
  return shopToday(new Date(instant)) === shopToday(now) ? 'today' : formatInstantDate(instant)
}
