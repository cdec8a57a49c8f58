import { openAuth } from '@local/data-service'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import { createStaffAccount } from '#server/features/admin-session/accounts/create-staff-account.ts'
import { embeddedAuthGateway } from '#server/features/admin-session/gateway/embedded-auth-gateway.ts'
import type { TestApp } from './app.ts'
import { fastPasswords } from './fast-passwords.ts'
import { testKeys } from './test-keys.ts'

const password = 'correct horse battery'

/** Adds a staff account with the given username to a test app; returns the user id. */
export async function addStaffAccount(
  shop: TestApp,
  username: string,
  role: StaffRole,
): Promise<string> {
  const { database } = shop.database
  const auth = await openAuth({
    database,
    keys: testKeys,
    now: Date.now,
    publicUrl: shop.config.publicUrl,
    passwords: fastPasswords,
  })
  const gateway = embeddedAuthGateway(auth)
  const created = await createStaffAccount({ database, gateway }, { username, password, role })
  if (!created.ok) throw new Error(created.refusal)
  return created.value.userId
}

export type SignedInStaff = {
  /** The Cookie header for `/api`. */
  readonly cookie: string
  /** The access token for the data service (REST API). */
  readonly token: string
  /** The response to the sign-in. */
  readonly body: Record<string, unknown>
}

/** Signs in an account that `addStaffAccount` added. */
export async function signInAs(shop: TestApp, username: string): Promise<SignedInStaff> {
  const response = await shop.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload: { username, password },
  })
  const session = response.cookies.find(({ name }) => name === 'admin_session')
  if (!session) throw new Error(`${username} could not sign in: ${response.body}`)
  const body = response.json<{ session: { access_token: string } }>()
  return { cookie: `admin_session=${session.value}`, token: body.session.access_token, body }
}
