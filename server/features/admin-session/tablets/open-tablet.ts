import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthContext } from '@local/data-service'
import { rowsAs } from '@local/postgres'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import type { WorkQueue } from '#server/platform/queue/work-queue.ts'
import { adminSessionSeconds, findAdminSession } from '../admin-sessions.ts'
import type { Admin } from '../gateway/auth-gateway.ts'
import { recordRefusal } from '#server/features/audit/record-audit.ts'
import { setSessionCookie } from '../session-cookie.ts'
import type { LogInDependencies, Welcomed } from '../sign-in/log-in.ts'
import { closePreviousSession } from '../sign-in/log-out.ts'
import { forgetAttempts, recordWrongPin, returnAttempt, takeAttempt } from './pins.ts'
import { readTabletCookie, setTabletCookie } from './tablet-cookie.ts'
import { openTabletSession } from './tablet-sessions.ts'
import { findTablet, type FoundTablet } from './tablets.ts'

export type TabletDependencies = LogInDependencies & {
  readonly auth: AuthContext
  /** The queue in which PINs are checked, separate from the queue of passwords. */
  readonly pinQueue: WorkQueue
}

type Call = { readonly request: FastifyRequest; readonly reply: FastifyReply }
type Typed = { readonly accountId: string; readonly pin: string }

/** Opens a session with the rights of a technician at a shared tablet, if the PIN of the team member is right. */
export async function openTablet(
  dependencies: TabletDependencies,
  typed: Typed,
  call: Call,
): Promise<Result<Welcomed, Refusal>> {
  const { database } = dependencies
  const token = readTabletCookie(call.request)
  const tablet = token === undefined ? undefined : await findTablet(database, token)
  if (token === undefined || !tablet || tablet.state === 'revoked') {
    return refused({ code: 'TABLET_REVOKED' })
  }
  const checked = await checkPin(dependencies, tablet, typed, call.request)
  if (!checked.ok) return checked
  const welcomed = await welcomeAtTablet(dependencies, tablet, checked.value, call)
  if (welcomed.ok) setTabletCookie(call.reply, token, dependencies.publicUrl)
  return welcomed
}

/**
 * Checks one PIN. If there is no PIN to compare, the function computes a hash nevertheless. The response time therefore
 * does not reveal whether the PIN is blocked or missing, or whether the team member still works at the shop.
 */
async function checkPin(
  { database, auth, pinQueue }: TabletDependencies,
  tablet: FoundTablet,
  { accountId, pin }: Typed,
  request: FastifyRequest,
): Promise<Result<Admin, Refusal>> {
  const asked = { tabletId: tablet.id, accountId }
  const attempt = await takeAttempt(database, asked)
  if (!attempt) return refused({ code: 'TABLET_LOCKED' })
  let isRight: boolean
  try {
    isRight = await pinQueue(() => auth.passwords.verify(pin, attempt.pinHash ?? undefined))
  } catch (error) {
    await returnAttempt(database, accountId, attempt)
    throw error
  }
  const admin = isRight ? await findAccount(database, accountId) : undefined
  if (!admin) {
    const { message, username } = await recordWrongPin(database, asked)
    await recordRefusal(database, request, {
      kind: 'wrong_pin',
      triedUsername: username,
      detail: tablet.name,
    })
    return refused({ code: 'WRONG_PIN', message })
  }
  await forgetAttempts(database, accountId, attempt)
  return accepted(admin)
}

async function findAccount(
  database: TabletDependencies['database'],
  userId: string,
): Promise<Admin | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<Admin>(
      await query(
        'select user_id as "userId", username from public.staff_accounts where user_id = $1 and is_active',
        [userId],
      ),
    )
    return row
  })
}

async function welcomeAtTablet(
  dependencies: TabletDependencies,
  tablet: FoundTablet,
  admin: Admin,
  { request, reply }: Call,
): Promise<Result<Welcomed, Refusal>> {
  const { database, gateway, now, publicUrl } = dependencies
  await closePreviousSession(dependencies, request)
  const opened = await gateway.openSession(admin, now() + adminSessionSeconds * 1000)
  if (!opened) return refused({ code: 'WRONG_PIN' })
  const token = await openTabletSession(database, tablet, admin, opened.id)
  const session = token && (await findAdminSession(database, token))
  if (!token || !session) {
    await gateway.closeSession(opened)
    return refused({ code: 'TABLET_LOCKED' })
  }
  setSessionCookie(reply, token, publicUrl)
  return accepted({ admin: session, opened, onboarding: await dependencies.readOnboarding() })
}
