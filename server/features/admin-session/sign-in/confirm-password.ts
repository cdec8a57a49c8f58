import type { FastifyRequest } from 'fastify'
import { duration } from '#contracts/api/rate-limit-message.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { AttemptsLeft, Limit } from '#server/platform/http/limits/rate-limits.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { confirmAdminSession, findAdminSession } from '../admin-sessions.ts'
import { readSessionCookie } from '../session-cookie.ts'
import { checkPassword, type LogInDependencies } from './log-in.ts'

/**
 * The limits of wrong passwords in step-up authentication, per account. These limits are separate from the limits of
 * the sign-in, so that strangers who guess passwords at the sign-in cannot block a signed-in team member. The limits
 * also restrict the guesses of somebody with a stolen session.
 */
const limitsOf = (userId: string): Limit[] => [
  { name: 'step-up', max: 5, windowSeconds: 300, subject: () => userId },
  { name: 'step-up', max: 30, windowSeconds: 86_400, subject: () => userId },
]

/**
 * Checks the password of the signed-in staff account, and lets this session use endpoints that require step-up
 * authentication for five minutes. Returns the end of this period, in milliseconds since 1970.
 */
export async function confirmPassword(
  dependencies: LogInDependencies,
  password: string,
  request: FastifyRequest,
): Promise<Result<number, Refusal>> {
  const { database, gateway, limits } = dependencies
  const token = readSessionCookie(request) ?? ''
  const admin = await findAdminSession(database, token)
  if (!admin) return refused({ code: 'UNAUTHENTICATED' })
  const waitSeconds = await limits.consume(request, limitsOf(admin.userId))
  if (waitSeconds !== undefined) return refused({ waitSeconds })
  const checked = await checkPassword(gateway, { username: admin.username, password }, 'known')
  const isWrong = !checked.ok && checked.refusal === 'INVALID_CREDENTIALS'
  if (!isWrong) await limits.forgive(request)
  if (!checked.ok) {
    const { refusal } = checked
    if (refusal !== 'INVALID_CREDENTIALS') return refused(refusal)
    const left = limits.attemptsLeft(request)
    return refused({ code: 'WRONG_PASSWORD', ...(left && { message: describeTries(left) }) })
  }
  await gateway.closeSession(checked.value.opened)
  const until = await confirmAdminSession(database, token, 'password')
  return until === undefined ? refused({ code: 'UNAUTHENTICATED' }) : accepted(until)
}

function describeTries({ attempts, windowSeconds, resetSeconds }: AttemptsLeft): string {
  if (attempts === 0)
    return `This password is wrong. Please try again in ${duration(resetSeconds)}.`
  const wait = duration(windowSeconds).replace(/s$/, '')
  return `This password is wrong. ${attempts} ${attempts === 1 ? 'try' : 'tries'} left before a ${wait} wait.`
}
