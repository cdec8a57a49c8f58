import { type ApiReply, getJson, postJson } from '#web/lib/api.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** Tokens of the data service, to be handed to its client. */
type DataSession = { readonly access_token: string; readonly refresh_token: string }

export type LogInRefusal = { readonly message: string }

/** Without a `session` when the server did not hand one out. */
type LoggedIn = { readonly username: string; readonly session: DataSession | undefined }

type Answer = {
  ok?: boolean
  message?: string
  user?: { username: string }
  session?: DataSession
}

/** Also when the data client cannot take the session (docs/product.md 8.5). */
export const loginFailed = 'An error occurred during login.'

export async function requestLogIn(
  username: string,
  password: string,
): Promise<Result<LoggedIn, LogInRefusal>> {
  const answer = answerOf(await postJson('/api/admin/login', { username, password }))
  if (!answer) return refused({ message: loginFailed })
  if (!answer.ok || !answer.user) {
    return refused({ message: answer.message || 'Invalid username or password' })
  }
  return accepted({ username: answer.user.username, session: answer.session })
}

/** Who the cookie says is logged in, or undefined for nobody; with tokens for the data client when asked. */
export async function askForSession(options: {
  withDataSession: boolean
}): Promise<LoggedIn | undefined> {
  const answer = answerOf(
    await getJson(`/api/admin/me${options.withDataSession ? '?session=missing' : ''}`),
  )
  return answer?.ok && answer.user
    ? { username: answer.user.username, session: answer.session }
    : undefined
}

export async function endSession(): Promise<void> {
  await postJson('/api/admin/logout')
}

function answerOf(reply: ApiReply): Answer | undefined {
  return reply.kind === 'json' && reply.body ? reply.body : undefined
}
