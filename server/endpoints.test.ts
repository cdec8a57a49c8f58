import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/api/endpoints.ts'
import type { DeclaredRoute } from '#server/platform/http/declare-routes.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
beforeAll(async () => {
  // The app runs without a web build, so that the route list does not depend on built pages.
  shop = await createTestApp({ siteDirectory: 'no-build' })
})
afterAll(() => shop.close())

const forStaff = endpoints.filter(({ rights }) => ['staff', 'admin', 'owner'].includes(rights))

describe('each endpoint in the contracts', () => {
  it.each(endpoints)('has a route: $method $path', ({ method, path }) => {
    expect(shop.app.hasRoute({ method, url: path })).toBe(true)
  })

  it.each(forStaff)(
    'returns 401 to a visitor if it is for staff: $method $path',
    async ({ method, path }) => {
      const response = await shop.inject({ method, url: path })
      expect([response.statusCode, response.json()]).toEqual([
        401,
        { ok: false, code: 'UNAUTHENTICATED', message: 'Please sign in.' },
      ])
      expect(response.headers['cache-control']).toBe('no-store')
    },
  )

  it('refuses cross-site requests if it changes data for staff or signs somebody in', async () => {
    const cookie = await shop.logIn()
    const headers = { cookie, origin: 'https://elsewhere.example' }
    for (const { method, path, rights } of endpoints) {
      if (method === 'GET' || !['staff', 'admin', 'owner', 'own page'].includes(rights)) continue
      const response = await shop.inject({ method, url: path, headers, payload: {} })
      expect([path, response.json<{ code: string }>().code]).toEqual([path, 'CROSS_ORIGIN'])
    }
  })
})

it('each route of the app declares its rights and rate limit', () => {
  const lines = shop.app.declaredRoutes.map(describeRoute)
  expect(lines.toSorted()).toMatchInlineSnapshot(`
    [
      "DELETE /rest/v1/:relation: access token; in handler",
      "DELETE /rest/v1/rpc/:function: access token; in handler",
      "GET /address/:token/confirm: link; in handler",
      "GET /address/:token: link; in handler",
      "GET /api/admin/accounts/sign-in-ways: owner; team",
      "GET /api/admin/code-app: staff; code-app",
      "GET /api/admin/estimate/:id/pdf: admin; estimate-invoice",
      "GET /api/admin/invoice/:id/print: admin; invoice-admin",
      "GET /api/admin/live: staff",
      "GET /api/admin/me: public; admin-me",
      "GET /api/admin/passkeys: staff; passkeys",
      "GET /api/admin/profile: staff; profile",
      "GET /api/admin/tablets: owner; tablets",
      "GET /api/backup: admin",
      "GET /api/calendar-feed: admin",
      "GET /api/form-token: public; form-token",
      "GET /api/invoice/archivo-site.woff2: public",
      "GET /api/invoice/list: admin; invoice-admin",
      "GET /api/invoice/page/:token: link; invoice-pdf",
      "GET /api/invoice/pdf/:token: link; invoice-pdf",
      "GET /api/onboarding: admin",
      "GET /api/operations: admin",
      "GET /api/outbox/:id/message.eml: admin",
      "GET /api/outbox/:id/preview: admin",
      "GET /api/outbox/:id: admin",
      "GET /api/outbox: admin",
      "GET /api/payment/session-verify: public; payment-verify, payment-verify network",
      "GET /api/payment/verify: public; payment-verify, payment-verify network",
      "GET /api/setup/email: owner",
      "GET /api/setup/payments: owner",
      "GET /api/tablet: public; tablet",
      "GET /auth/v1/health: access token; in handler",
      "GET /auth/v1/settings: access token; in handler",
      "GET /auth/v1/user: access token; in handler",
      "GET /calendar/:file: link; calendar-feed",
      "GET /estimate/:token/approve: link; in handler",
      "GET /estimate/:token/decline: link; in handler",
      "GET /estimate/:token/deposit: link; in handler",
      "GET /estimate/:token/estimate.pdf: link; in handler",
      "GET /estimate/:token: link; in handler",
      "GET /healthz: public",
      "GET /i/:token/invoice.pdf: link; in handler",
      "GET /i/:token/pay: link; in handler",
      "GET /i/:token: link; in handler",
      "GET /join/:token: link; in handler",
      "GET /readyz: public",
      "GET /rest/v1/:relation: access token; in handler",
      "GET /rest/v1/rpc/:function: access token; in handler",
      "GET /sandbox/assets/brand.woff2: link",
      "GET /sandbox/assets/icon.svg: link",
      "GET /sandbox/assets/style.css: link",
      "GET /sandbox/checkout/:id: link",
      "GET /sandbox/invoice/:token/pay: link",
      "GET /sandbox/invoice/:token/pdf: link",
      "GET /sandbox/invoice/:token: link",
      "GET /sandbox/receipt/:token: link",
      "GET /social.png: public",
      "GET /visit/:token/appointment.ics: link; in handler",
      "GET /visit/:token/attend: link; in handler",
      "GET /visit/:token/cancel: link; in handler",
      "GET /visit/:token/change: link; in handler",
      "GET /visit/:token/confirm: link; in handler",
      "GET /visit/:token/move: link; in handler",
      "GET /visit/:token/reason: link; in handler",
      "GET /visit/:token/restore: link; in handler",
      "GET /visit/:token: link; in handler",
      "GET /visit: public; in handler",
      "OPTIONS /functions/v1/*: access token; in handler",
      "OPTIONS /rest/v1/*: access token; in handler",
      "PATCH /rest/v1/:relation: access token; in handler",
      "PATCH /rest/v1/rpc/:function: access token; in handler",
      "POST /address/:token/confirm: link; in handler",
      "POST /api/accountant/file: admin after step-up; accountant-file",
      "POST /api/admin/accounts/:id/clear-pin: owner; tablets",
      "POST /api/admin/code-app/confirm: staff after step-up; code-app",
      "POST /api/admin/code-app/recovery-codes: staff after step-up; code-app",
      "POST /api/admin/code-app/start: staff after step-up; code-app",
      "POST /api/admin/code-app/switch-off: staff after step-up; code-app",
      "POST /api/admin/confirm-passkey/options: staff; passkey-challenge",
      "POST /api/admin/confirm-passkey: staff; in handler",
      "POST /api/admin/confirm-password: staff; in handler",
      "POST /api/admin/estimate/invoice: admin; estimate-invoice",
      "POST /api/admin/estimate/send: admin",
      "POST /api/admin/join/options: own page; join-with-passkey, join-with-passkey",
      "POST /api/admin/join: own page; join-with-passkey, join-with-passkey",
      "POST /api/admin/login/code: own page; in handler",
      "POST /api/admin/login/former-passkeys: own page; former-passkeys",
      "POST /api/admin/login: own page; in handler",
      "POST /api/admin/logout: own page",
      "POST /api/admin/passkey-sign-in/options: own page; passkey-challenge",
      "POST /api/admin/passkey-sign-in: own page; passkey-sign-in, passkey-sign-in",
      "POST /api/admin/passkeys/:id/remove: staff after step-up; passkeys",
      "POST /api/admin/passkeys/:id/rename: staff; passkeys",
      "POST /api/admin/passkeys/options: staff after step-up; passkeys",
      "POST /api/admin/passkeys: staff after step-up; passkeys",
      "POST /api/admin/profile/email: staff after step-up; profile",
      "POST /api/admin/profile/name: staff; profile",
      "POST /api/admin/profile/password: staff after step-up; profile",
      "POST /api/admin/profile/pin: staff after step-up; tablets",
      "POST /api/admin/sessions/end-others: staff; profile",
      "POST /api/admin/sessions/end: staff; profile",
      "POST /api/admin/tablets/:id/revoke: owner; tablets",
      "POST /api/admin/tablets: owner after step-up; tablets",
      "POST /api/audit/file: owner after step-up; audit-file",
      "POST /api/backup/drill/stop: owner",
      "POST /api/backup/drill: owner",
      "POST /api/backup/emails: owner",
      "POST /api/backup/key-copy: owner",
      "POST /api/backup/key-file: owner after step-up",
      "POST /api/backup/send: owner",
      "POST /api/calendar-feed/disable: admin after step-up",
      "POST /api/calendar-feed/renew: admin after step-up",
      "POST /api/commands/book-by-phone: admin",
      "POST /api/commands/cancel-booking: admin",
      "POST /api/commands/cancel-bookings: admin",
      "POST /api/commands/cancel-invoice: admin after step-up",
      "POST /api/commands/change-staff-role: owner after step-up",
      "POST /api/commands/close-day: admin",
      "POST /api/commands/correct-close: admin",
      "POST /api/commands/correct-deposit: admin",
      "POST /api/commands/correct-invoice-price: admin",
      "POST /api/commands/correct-payment: admin",
      "POST /api/commands/edit-booking: admin",
      "POST /api/commands/email-invoice: admin; invoice-admin",
      "POST /api/commands/invite-owner: owner after step-up",
      "POST /api/commands/invite-staff: owner",
      "POST /api/commands/move-booking: admin",
      "POST /api/commands/notify-customer: admin",
      "POST /api/commands/record-authorization: admin",
      "POST /api/commands/record-cash-movement: admin",
      "POST /api/commands/refund-deposit: admin after step-up",
      "POST /api/commands/refund-payment: admin after step-up",
      "POST /api/commands/remind-of-deposit: admin",
      "POST /api/commands/rename-staff: owner",
      "POST /api/commands/reopen-bookings: admin",
      "POST /api/commands/reply-to-quote: admin",
      "POST /api/commands/retry-refund: admin after step-up",
      "POST /api/commands/return-check: admin",
      "POST /api/commands/return-deposit-check: admin",
      "POST /api/commands/send-invitation-again: owner",
      "POST /api/commands/send-payment-link: admin",
      "POST /api/commands/switch-staff-off: owner",
      "POST /api/commands/switch-staff-on: owner",
      "POST /api/commands/take-deposit: admin",
      "POST /api/commands/take-invitation-back: owner",
      "POST /api/commands/take-payment: admin",
      "POST /api/commands/void-invoice: admin",
      "POST /api/commands/write-off-invoice: admin",
      "POST /api/create-checkout: public; create-checkout, create-checkout network",
      "POST /api/customers/erase: owner after step-up; customer-data",
      "POST /api/customers/export: owner after step-up; customer-data",
      "POST /api/emails/:id/resend: admin",
      "POST /api/invoice/create: admin; invoice-admin",
      "POST /api/invoice/hand-over: admin; invoice-admin",
      "POST /api/invoice/lookup: public; in handler",
      "POST /api/onboarding/confirm: admin",
      "POST /api/onboarding/hide: owner",
      "POST /api/sample-week/remove: owner",
      "POST /api/sample-week: owner",
      "POST /api/send-payment-confirmation: public; payment-confirmation, payment-confirmation network",
      "POST /api/setup/email/remove: owner after step-up",
      "POST /api/setup/email/save: owner after step-up; test-message",
      "POST /api/setup/email/test: owner; test-message",
      "POST /api/setup/payments/remove: owner after step-up",
      "POST /api/setup/payments/save: owner after step-up; stripe-account",
      "POST /api/stripe/webhook: signature; in handler",
      "POST /api/tablet/open: own page; tablet-open",
      "POST /api/tablet/touch: staff; tablet",
      "POST /auth/v1/logout: access token; in handler",
      "POST /auth/v1/signup: access token; in handler",
      "POST /auth/v1/token: access token; in handler",
      "POST /estimate/:token/approve: link; in handler",
      "POST /estimate/:token/decline: link; in handler",
      "POST /estimate/:token/deposit: link; in handler",
      "POST /estimate/:token/seen: link; in handler",
      "POST /functions/v1/:name: access token; in handler",
      "POST /i/:token/pay: link; in handler",
      "POST /join/:token: link; in handler",
      "POST /rest/v1/:relation: access token; in handler",
      "POST /rest/v1/rpc/:function: access token; in handler",
      "POST /sandbox/checkout/:id: link",
      "POST /sandbox/invoice/:token/pay: link",
      "POST /visit/:token/attend: link; in handler",
      "POST /visit/:token/cancel: link; in handler",
      "POST /visit/:token/confirm: link; in handler",
      "POST /visit/:token/move: link; in handler",
      "POST /visit/:token/reason: link; in handler",
      "POST /visit/:token/restore: link; in handler",
      "POST /visit: public; in handler",
      "PUT /rest/v1/:relation: access token; in handler",
      "PUT /rest/v1/rpc/:function: access token; in handler",
    ]
  `)
})

/**
 * Describes a route in one line: method, path, rights, whether step-up authentication is required, and the names of the
 * rate limits.
 */
function describeRoute({ method, path, rights, stepUp, limit = [] }: DeclaredRoute): string {
  const limits = typeof limit === 'string' ? limit : limit.map(({ name }) => name).join(', ')
  const needed = stepUp ? `${rights} after step-up` : rights
  return [`${method} ${path}: ${needed}`, limits].filter((part) => part !== '').join('; ')
}
