import type { FastifyInstance } from 'fastify'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import { confirmPasswordEndpoint } from '#contracts/step-up.ts'
import { accepted } from '#domain/result.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { logIn, type LogInDependencies, presentLogIn } from './sign-in/log-in.ts'
import { confirmPassword } from './sign-in/confirm-password.ts'
import { logOut } from './sign-in/log-out.ts'
import { presentCurrentSession, readCurrentSession } from './read-session.ts'

const sessionLimit = { name: 'admin-me', max: 240, windowSeconds: 60 }

/** Routes for signing in to the dashboard and out of it (docs/product.md 7.1). */
export function registerAdminSession(app: FastifyInstance, dependencies: LogInDependencies): void {
  // The handler applies the rate limits of this route itself, because some limits count per username and apply only
  // when the request contains a username and a password.
  serve(app, adminSessionEndpoints.logIn).with({
    limit: 'in handler',
    invalid: { code: 'BAD_REQUEST', message: 'Please enter username and password.' },
    handle: (credentials, call) => logIn(dependencies, credentials, call),
    present: presentLogIn,
  })
  serve(app, adminSessionEndpoints.whoAmI).with({
    limit: [sessionLimit],
    invalid: { code: 'BAD_REQUEST' },
    handle: (input, call) => readCurrentSession(dependencies, input.session === 'missing', call),
    present: presentCurrentSession,
  })
  // The handler applies the rate limits of this route, because they count per account and only the handler knows the
  // account.
  serve(app, confirmPasswordEndpoint).with({
    limit: 'in handler',
    invalid: { code: 'BAD_REQUEST', message: 'Please enter your password.' },
    handle: ({ password }, { request }) => confirmPassword(dependencies, password, request),
    present: (until) => ({ ok: true, confirmedUntil: new Date(until).toISOString() }),
  })
  serve(app, adminSessionEndpoints.logOut).with({
    handle: async (_input, { request, reply }) =>
      accepted(await logOut(dependencies, request, reply)),
    present: () => ({ ok: true }),
  })
}
