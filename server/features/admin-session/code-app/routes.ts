import type { FastifyInstance } from 'fastify'
import { codeAppEndpoints } from '#contracts/code-app.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Owner } from '#emails/setup/owner-notice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { signedInAdmin } from '../passkeys/signed-in-admin.ts'
import { type LogInDependencies, presentLogIn } from '../sign-in/log-in.ts'
import {
  type CodeAppDependencies,
  confirmCodeApp,
  endCodeApp,
  readCodeApp,
  renewRecoveryCodes,
  startCodeApp,
} from './code-apps.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { addressOf } from './time-codes.ts'

const limit = [{ name: 'code-app', max: 30, windowSeconds: 60 }]

type Dependencies = LogInDependencies & CodeAppDependencies & Pick<Owner, 'currentShop'>

/** Routes for the authenticator app of a team member and for the second step of a sign-in (docs/product.md 6.13). */
export function registerCodeApp(app: FastifyInstance, dependencies: Dependencies): void {
  registerSetUp(app, dependencies)
  registerChanges(app, dependencies)
  // The handler applies the rate limits of this route, because only the handler knows the account that they count.
  serve(app, codeAppEndpoints.finishSignIn).with({
    limit: 'in handler',
    invalid: { code: 'WRONG_CODE' },
    handle: ({ code }, call) => finishSignIn(dependencies, code, call),
    present: presentLogIn,
  })
}

function registerSetUp(app: FastifyInstance, dependencies: Dependencies): void {
  serve(app, codeAppEndpoints.start).with({
    limit,
    async handle(_input, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      const started = asRefusal(await startCodeApp(dependencies, admin.value.userId))
      return started.ok
        ? accepted({ secret: started.value, username: admin.value.username })
        : started
    },
    present: ({ secret, username }) => ({
      ok: true,
      secret,
      address: addressOf(secret, dependencies.currentShop().name, username),
    }),
  })
  serve(app, codeAppEndpoints.confirm).with({
    limit,
    invalid: { code: 'WRONG_CODE' },
    async handle({ code }, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      return asRefusal(await confirmCodeApp(dependencies, { userId: admin.value.userId, code }))
    },
    present: (recoveryCodes) => ({ ok: true, recoveryCodes }),
  })
}

function registerChanges(app: FastifyInstance, dependencies: Dependencies): void {
  const { database } = dependencies
  serve(app, codeAppEndpoints.read).with({
    limit,
    async handle(_input, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      return admin.ok ? accepted(await readCodeApp(database, admin.value.userId)) : admin
    },
    present: (codeApp) => ({
      ok: true,
      since: codeApp ? new Date(codeApp.since_ms).toISOString() : null,
      recoveryCodesLeft: codeApp?.codes_left ?? 0,
    }),
  })
  serve(app, codeAppEndpoints.renewRecoveryCodes).with({
    limit,
    async handle(_input, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      return admin.ok
        ? asRefusal(await renewRecoveryCodes(dependencies, admin.value.userId))
        : admin
    },
    present: (recoveryCodes) => ({ ok: true, recoveryCodes }),
  })
  serve(app, codeAppEndpoints.switchOff).with({
    limit,
    async handle(_input, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      const { userId } = admin.value
      await database.transaction(asServer, (query) => endCodeApp(query, userId, userId))
      return accepted(undefined)
    },
    present: () => ({ ok: true }),
  })
}

function asRefusal<Value, Code extends string>(
  outcome: Result<Value, Code>,
): Result<Value, { readonly code: Code }> {
  return outcome.ok ? outcome : refused({ code: outcome.refusal })
}
