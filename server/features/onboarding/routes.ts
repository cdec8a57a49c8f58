import type { FastifyInstance } from 'fastify'
import {
  type Onboarding,
  onboardingEndpoints,
  sharedOnboardingSteps,
} from '#contracts/onboarding.ts'
import { accepted, refused } from '#domain/result.ts'
import { findAdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { type ProcessState, readOnboarding } from './read-onboarding.ts'

type Dependencies = {
  readonly database: Database
  readonly processState: ProcessState
}

const invalid = { code: 'BAD_REQUEST' } as const

/** Routes for the setup steps of a new shop (docs/product.md 11.9). */
export function registerOnboarding(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, processState } = dependencies
  const change = async (work: (query: Query) => Promise<unknown>) =>
    accepted(
      await database.transaction(asServer, async (query) => {
        await work(query)
        return readOnboarding(query, processState)
      }),
    )
  const present = (progress: Onboarding) => ({ ok: true, ...progress }) as const

  serve(app, onboardingEndpoints.read).with({
    handle: () => change(async () => {}),
    present,
  })
  serve(app, onboardingEndpoints.hide).with({
    invalid,
    handle: ({ isHidden }) =>
      change((query) =>
        query('update internal.onboarding set hidden_at = case when $1::boolean then now() end', [
          isHidden,
        ]),
      ),
    present,
  })
  serve(app, onboardingEndpoints.confirm).with({
    invalid,
    async handle({ step }, { request }) {
      const session = await findAdminSession(database, readSessionCookie(request) ?? '')
      if (session?.role !== 'owner' && !sharedOnboardingSteps.includes(step)) {
        return refused({ code: 'NOT_ALLOWED' })
      }
      return change((query) =>
        query(
          `update internal.onboarding set confirmed_steps = array_append(confirmed_steps, $1::text)
           where $1::text <> all (confirmed_steps)`,
          [step],
        ),
      )
    },
    present,
  })
}
