import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'

/*
 * The roles that each staff endpoint accepts, reviewed by hand. The test sends a request as each role and fails if an
 * endpoint is missing in this list or accepts other roles.
 */
const roles = ['owner', 'advisor', 'technician', 'nobody'] as const

const decided: Readonly<Record<string, readonly string[]>> = {
  // The endpoints that affect only the account of the team member who sends the request: profile, sessions, passkeys
  // and password confirmation.
  'owner advisor technician': [
    'GET /api/admin/live',
    'GET /api/admin/code-app',
    'GET /api/admin/passkeys',
    'GET /api/admin/profile',
    'POST /api/admin/code-app/confirm',
    'POST /api/admin/code-app/recovery-codes',
    'POST /api/admin/code-app/start',
    'POST /api/admin/code-app/switch-off',
    'POST /api/admin/confirm-passkey',
    'POST /api/admin/confirm-passkey/options',
    'POST /api/admin/confirm-password',
    'POST /api/admin/passkeys',
    'POST /api/admin/passkeys/:id/remove',
    'POST /api/admin/passkeys/:id/rename',
    'POST /api/admin/passkeys/options',
    'POST /api/admin/profile/email',
    'POST /api/admin/profile/name',
    'POST /api/admin/profile/password',
    'POST /api/admin/profile/pin',
    'POST /api/admin/sessions/end',
    'POST /api/admin/sessions/end-others',
    'POST /api/tablet/touch',
  ],
  'owner advisor': [
    'GET /api/admin/estimate/:id/pdf',
    'GET /api/admin/invoice/:id/print',
    'GET /api/backup',
    'GET /api/calendar-feed',
    'GET /api/invoice/list',
    'GET /api/onboarding',
    'GET /api/operations',
    'GET /api/outbox',
    'GET /api/outbox/:id',
    'GET /api/outbox/:id/message.eml',
    'GET /api/outbox/:id/preview',
    'POST /api/accountant/file',
    'POST /api/admin/estimate/invoice',
    'POST /api/admin/estimate/send',
    'POST /api/calendar-feed/disable',
    'POST /api/calendar-feed/renew',
    'POST /api/commands/book-by-phone',
    'POST /api/commands/cancel-booking',
    'POST /api/commands/cancel-bookings',
    'POST /api/commands/cancel-invoice',
    'POST /api/commands/close-day',
    'POST /api/commands/correct-close',
    'POST /api/commands/correct-deposit',
    'POST /api/commands/correct-invoice-price',
    'POST /api/commands/correct-payment',
    'POST /api/commands/edit-booking',
    'POST /api/commands/email-invoice',
    'POST /api/commands/move-booking',
    'POST /api/commands/notify-customer',
    'POST /api/commands/record-authorization',
    'POST /api/commands/record-cash-movement',
    'POST /api/commands/refund-deposit',
    'POST /api/commands/refund-payment',
    'POST /api/commands/remind-of-deposit',
    'POST /api/commands/reopen-bookings',
    'POST /api/commands/reply-to-quote',
    'POST /api/commands/retry-refund',
    'POST /api/commands/return-check',
    'POST /api/commands/return-deposit-check',
    'POST /api/commands/send-payment-link',
    'POST /api/commands/take-deposit',
    'POST /api/commands/take-payment',
    'POST /api/commands/void-invoice',
    'POST /api/commands/write-off-invoice',
    'POST /api/emails/:id/resend',
    'POST /api/invoice/create',
    'POST /api/invoice/hand-over',
    'POST /api/onboarding/confirm',
  ],
  owner: [
    'GET /api/admin/accounts/sign-in-ways',
    'GET /api/admin/tablets',
    'POST /api/admin/accounts/:id/clear-pin',
    'POST /api/admin/tablets',
    'POST /api/admin/tablets/:id/revoke',
    'GET /api/setup/email',
    'GET /api/setup/payments',
    'POST /api/audit/file',
    'POST /api/backup/drill',
    'POST /api/backup/drill/stop',
    'POST /api/backup/emails',
    'POST /api/backup/key-copy',
    'POST /api/backup/key-file',
    'POST /api/backup/send',
    'POST /api/commands/change-staff-role',
    'POST /api/commands/invite-owner',
    'POST /api/commands/invite-staff',
    'POST /api/commands/rename-staff',
    'POST /api/commands/send-invitation-again',
    'POST /api/commands/switch-staff-off',
    'POST /api/commands/switch-staff-on',
    'POST /api/commands/take-invitation-back',
    'POST /api/customers/erase',
    'POST /api/customers/export',
    'POST /api/onboarding/hide',
    'POST /api/sample-week',
    'POST /api/sample-week/remove',
    'POST /api/setup/email/remove',
    'POST /api/setup/email/save',
    'POST /api/setup/email/test',
    'POST /api/setup/payments/remove',
    'POST /api/setup/payments/save',
  ],
}

let shop: TestApp
const cookies = new Map<string, string>([['nobody', '']])
beforeAll(async () => {
  shop = await createTestApp({ siteDirectory: 'no-build', config: { rateLimits: 'off' } })
  for (const role of ['owner', 'advisor', 'technician'] as const) {
    await addStaffAccount(shop, `a-${role}`, role)
    cookies.set(role, (await signInAs(shop, `a-${role}`)).cookie)
  }
})
afterAll(() => shop.close())

/**
 * Returns whether the server accepts the role of a request. Most requests of this test lack data, so the server refuses
 * them for this reason once it has accepted the role.
 */
async function reaches(method: string, path: string, role: string): Promise<boolean> {
  const response = await shop.inject({
    // A HEAD request passes the same rights checks as a GET request, but does not keep the live-event stream open.
    method: method === 'GET' ? 'HEAD' : 'POST',
    url: path.replaceAll(/:\w+/g, 'x'),
    headers: { cookie: cookies.get(role) ?? '' },
    ...(method === 'POST' && { payload: {} }),
  })
  if (method === 'GET') return ![401, 403].includes(response.statusCode)
  const { code } = response.json<{ code?: string }>()
  return code !== 'UNAUTHENTICATED' && code !== 'NOT_ALLOWED'
}

it('each staff endpoint accepts exactly the roles that this file lists', async () => {
  const actual = new Map<string, string>()
  for (const { method, path, rights } of shop.app.declaredRoutes) {
    if (!['staff', 'admin', 'owner'].includes(rights)) continue
    const reached = await Promise.all(roles.map((role) => reaches(method, path, role)))
    actual.set(`${method} ${path}`, roles.filter((_, nth) => reached[nth]).join(' '))
  }
  const expected = Object.entries(decided).flatMap(([allowed, paths]) =>
    paths.map((path) => [path, allowed] as const),
  )
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))
}, 60_000)
