import type { FastifyReply, FastifyRequest } from 'fastify'
import { refused, type Result } from '#domain/result.ts'
import { recordRefusal } from '#server/features/audit/record-audit.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { adminSessionSeconds } from '../admin-sessions.ts'
import { type LogInDependencies, type Welcomed, welcome } from '../sign-in/log-in.ts'
import { type CodeAppDependencies, spendCode } from './code-apps.ts'
import { closePendingSignIn, readPendingToken, takePendingTry } from './pending-sign-ins.ts'

/**
 * The limits of code attempts for one account, counted for all browsers together. Only a person who knows the password
 * can use up these limits. Three of the million possible codes are valid at a time, so 50 guesses a day succeed on
 * about one of 6,700 days.
 */
const limitsOf = (userId: string): Limit[] => [
  { name: 'sign-in-code', max: 10, windowSeconds: 900, subject: () => userId },
  { name: 'sign-in-code', max: 50, windowSeconds: 86_400, subject: () => userId },
]

/** Completes a sign-in after the right password, with a code of the authenticator app or a recovery code. */
export async function finishSignIn(
  dependencies: LogInDependencies & CodeAppDependencies,
  code: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Result<Welcomed, Refusal>> {
  const { database, gateway, limits, now } = dependencies
  const token = readPendingToken(request)
  const admin = await takePendingTry(database, token)
  if (!admin) return refused({ code: 'SIGN_IN_EXPIRED' })
  const { userId, username } = admin
  const waitSeconds = await limits.consume(request, limitsOf(userId))
  if (waitSeconds !== undefined) {
    await recordRefusal(database, request, { kind: 'sign_in_blocked', triedUsername: username })
    return refused({ waitSeconds })
  }
  // If two right codes arrive at the same time, only one of them completes the sign-in.
  const isRight = await database.transaction(
    asServer,
    async (query) =>
      (await spendCode(query, dependencies, { userId, code })) &&
      (await closePendingSignIn(query, token)),
  )
  if (!isRight) {
    await recordRefusal(database, request, { kind: 'wrong_code', triedUsername: username })
    return refused({ code: 'WRONG_CODE' })
  }
  await limits.forgive(request)
  const opened = await gateway.openSession(admin, now() + adminSessionSeconds * 1000)
  if (!opened) return refused({ code: 'INVALID_CREDENTIALS' })
  return welcome(dependencies, request, reply, { admin, opened })
}
