import * as z from 'zod/mini'
import { type ApiReply, apiTimeoutMs } from './api.ts'
import { sessionRefused, untilLogOut } from './session-renewal.ts'

/** Why one of the admin's endpoints did not do what was asked: the server's words, empty if it had none. */
export class ApiRefusal extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'ApiRefusal'
    this.status = status
  }
}

/**
 * Makes a call of the admin's and reads its answer. A refused session is renewed and the call made once
 * more; anything else that is not the expected answer throws an `ApiRefusal`.
 */
export async function askApi<Schema extends z.ZodMiniType>(
  call: (signal: AbortSignal) => Promise<ApiReply>,
  expected: Schema,
): Promise<z.output<Schema>> {
  const ask = () => call(AbortSignal.any([untilLogOut(), AbortSignal.timeout(apiTimeoutMs)]))
  let reply = await ask()
  if (reply.kind !== 'unreachable' && reply.status === 401 && (await sessionRefused())) {
    reply = await ask()
  }
  if (reply.kind === 'unreachable') throw new ApiRefusal('', 0)
  const body = reply.kind === 'json' ? reply.body : undefined
  const answer = z.safeParse(expected, body)
  if (answer.success) return answer.data
  const refusal = z.safeParse(z.object({ message: z.string() }), body)
  throw new ApiRefusal(refusal.success ? refusal.data.message : '', reply.status)
}
