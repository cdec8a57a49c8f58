import type { Database } from '@local/postgres'
import { accepted, type Result } from '#domain/result.ts'
import type { AdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { recordOwnChange } from '#server/features/audit/record-audit.ts'
import type { AuthGateway } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { asServer } from '#server/platform/database/identities.ts'

type Dependencies = { readonly database: Database; readonly gateway: AuthGateway }

/** Signs out the browser of the dashboard session with this id. The id of another account's session has no effect. */
export async function endSession(
  { database, gateway }: Dependencies,
  current: AdminSession,
  id: string,
): Promise<Result<true, never>> {
  const { userId } = current
  const ended = await database.transaction(asServer, async (query) => {
    const [row] = await query(
      'delete from internal.admin_sessions where id = $1 and user_id = $2 returning device',
      [id, userId],
    )
    if (row) await recordOwnChange(query, 'session_ended', { userId, detail: row.device })
    return row !== undefined
  })
  if (ended) await gateway.closeSessions(current)
  return accepted(true)
}
