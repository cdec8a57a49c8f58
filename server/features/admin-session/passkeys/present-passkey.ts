import type { Passkey } from '#contracts/passkeys.ts'
import type { ListedPasskey } from './passkey-records.ts'

/** Selects the fields of a passkey that the dashboard shows. `host` is the current host of the site. */
export function presentPasskey(passkey: ListedPasskey, host: string): Passkey {
  return {
    id: passkey.id,
    name: passkey.name,
    createdAt: isoTime(passkey.created_at_ms),
    lastUsedAt: passkey.last_used_at_ms === null ? null : isoTime(passkey.last_used_at_ms),
    isSwitchedOff: !passkey.is_active,
    isSuspicious: passkey.is_active && passkey.anomaly_count > 0,
    formerHost: passkey.rp_id === host ? null : passkey.rp_id,
  }
}

const isoTime = (ms: number) => new Date(ms).toISOString()
