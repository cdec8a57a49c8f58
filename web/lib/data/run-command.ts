import { apiErrors, type ErrorCode } from '#contracts/api/errors.ts'
import { type CommandEndpoint, databaseRefusal } from '#contracts/commands/command.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import type { ApiError } from './call-api.ts'
import { callAsAdmin } from './call-as-admin.ts'
import { DataError } from './request-data.ts'

/**
 * The ids of the commands whose result is unknown. A repeated command uses the same id. The key of the map consists of
 * the command's path and input.
 */
const unanswered = new Map<string, string>()

/**
 * Runs a command and returns its result: `runCommand(bookingCommands.notify, { bookingId, about: 'moved' })`. Throws a
 * `DataError`, whose code is the SQLSTATE if the database refused the command, and otherwise the API code.
 *
 * Each call is a new command, with one exception: the same input after a lost response, or after step-up
 * authentication, is sent with the same command id, so that the server does not carry it out a second time.
 */
export async function runCommand<Input, Output>(
  endpoint: CommandEndpoint<Input, Output>,
  input: Input,
): Promise<Output> {
  const key = `${endpoint.path} ${JSON.stringify(input)}`
  const commandId = unanswered.get(key) ?? randomUuid()
  unanswered.set(key, commandId)
  const response = await callAsAdmin(endpoint, { commandId, input })
  if (response.ok) {
    unanswered.delete(key)
    return response.value.result
  }
  if (isAnswered(response.refusal)) unanswered.delete(key)
  throw toDataError(response.refusal)
}

/**
 * The error codes after which the same input is sent again with the same command id: the server may have run the
 * command, or it required step-up authentication. A lost response and a response from a proxy have the same effect.
 */
const keptFailures: readonly string[] = [
  'UNAVAILABLE',
  'INTERNAL_ERROR',
  'BUSY',
  'STEP_UP_REQUIRED',
] satisfies ErrorCode[]

const isAnswered = ({ code }: ApiError) =>
  typeof code === 'string' && code in apiErrors && !keptFailures.includes(code)

function toDataError({ reply, code, message }: ApiError): DataError {
  const { cause }: { cause?: unknown } = Object(reply.body)
  const byDatabase = databaseRefusal.safeParse(cause)
  if (byDatabase.success) return new DataError(byDatabase.data, reply.status)
  const shown = reply.status === 0 ? 'The server did not respond.' : message
  return new DataError({ code: String(code), message: shown }, reply.status)
}
