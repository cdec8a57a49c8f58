import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  recordAuthorizationCommand as recordAuthorization,
  sendEstimateEndpoint,
} from '#contracts/estimates/estimate-actions.ts'
import { findAdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import { commandRoute } from '#server/features/commands/run-command.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { recordAuthorizationCommand } from './record-authorization.ts'
import { type SendContext, sendEstimate } from './send-estimate.ts'

type Dependencies = SendContext & {
  readonly mailer: Mailer
  readonly now: () => number
}

/**
 * Routes for the estimate actions of the dashboard that also queue an email. Clients of the REST API may not queue
 * emails.
 */
export function registerEstimateActions(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, mailer } = dependencies
  const nameOf = async (request: FastifyRequest) => {
    const session = await findAdminSession(database, readSessionCookie(request) ?? '')
    return session?.username ?? ''
  }
  serve(app, sendEstimateEndpoint).with({
    invalid: { code: 'BAD_REQUEST' },
    handle: async (input, { request }) => {
      const sent = await sendEstimate(dependencies, { ...input, byName: await nameOf(request) })
      if (sent.ok) mailer.wake()
      return sent
    },
    present: (sent) => ({ ok: true, ...sent }),
  })
  serve(app, recordAuthorization).with(
    commandRoute(dependencies, recordAuthorizationCommand(dependencies)),
  )
}
