import type { FastifyInstance } from 'fastify'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { describeDevice } from '../sign-in/describe-device.ts'
import { bindBrowser, readBrowserToken } from './challenge-cookie.ts'
import { removePasskey, renamePasskey } from './change-passkeys.ts'
import { registerPasskeyConfirmation } from './confirm-routes.ts'
import { presentPasskey } from './present-passkey.ts'
import type { PasskeyDependencies } from './passkey-dependencies.ts'
import { listPasskeys } from './passkey-records.ts'
import { finishRegistration, startRegistration } from './register-passkey.ts'
import { relyingPartyOf } from './relying-party.ts'
import { registerPasskeySignIn } from './sign-in-routes.ts'
import { signedInAdmin } from './signed-in-admin.ts'

const limit = [{ name: 'passkeys', max: 60, windowSeconds: 60 }]

/** Routes with which team members manage their passkeys and sign in with them (docs/product.md 6.9). */
export function registerPasskeys(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  registerPasskeySignIn(app, dependencies)
  registerPasskeyConfirmation(app, dependencies)
  registerList(app, dependencies)
  registerRegistration(app, dependencies)
  registerChanges(app, dependencies)
}

function registerList(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  const { database, publicUrl } = dependencies
  const site = relyingPartyOf(publicUrl)
  serve(app, passkeyEndpoints.list).with({
    limit,
    async handle(_input, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      const device = describeDevice(request.headers['user-agent'])
      return accepted({ device, passkeys: await listPasskeys(database, admin.value.userId) })
    },
    present: ({ device, passkeys }) => ({
      ok: true,
      device,
      passkeys: passkeys.map((passkey) => presentPasskey(passkey, new URL(publicUrl).hostname)),
      unavailableAt: site.ok ? null : new URL(publicUrl).origin,
    }),
  })
}

function registerRegistration(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  const { database, publicUrl, currentShop } = dependencies
  const site = relyingPartyOf(publicUrl)
  serve(app, passkeyEndpoints.startRegistration).with({
    limit,
    async handle(_input, { request, reply }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      if (!site.ok) return refused({ code: 'PASSKEYS_UNAVAILABLE' })
      const browserToken = bindBrowser(request, reply, publicUrl)
      const registrant = { site: site.value, admin: admin.value, browserToken }
      return accepted(await startRegistration(database, currentShop().name, registrant))
    },
    present: (options) => ({ ok: true, options: { ...options } }),
  })
  serve(app, passkeyEndpoints.finishRegistration).with({
    limit,
    invalid: { code: 'BAD_REQUEST' },
    async handle(input, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      if (!site.ok) return refused({ code: 'PASSKEYS_UNAVAILABLE' })
      const browserToken = readBrowserToken(request) ?? ''
      const registrant = { site: site.value, admin: admin.value, browserToken }
      return asRefusal(await finishRegistration(database, registrant, input))
    },
    present: () => ({ ok: true }),
  })
}

function registerChanges(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  const { database, publicUrl } = dependencies
  serve(app, passkeyEndpoints.rename).with({
    limit,
    invalid: { code: 'BAD_REQUEST' },
    async handle({ id, name }, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      return asRefusal(await renamePasskey(database, { id, userId: admin.value.userId }, name))
    },
    present: () => ({ ok: true }),
  })
  serve(app, passkeyEndpoints.remove).with({
    limit,
    invalid: { code: 'BAD_REQUEST' },
    async handle({ id }, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      const own = { id, userId: admin.value.userId }
      return asRefusal(await removePasskey(database, own, new URL(publicUrl).hostname))
    },
    present: () => ({ ok: true }),
  })
}

function asRefusal<Code extends string>(
  outcome: Result<undefined, Code>,
): Result<undefined, { readonly code: Code }> {
  return outcome.ok ? outcome : refused({ code: outcome.refusal })
}
