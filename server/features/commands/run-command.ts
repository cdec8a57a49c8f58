import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import pg from 'pg'
import type { CommandEndpoint, DatabaseRefusal } from '#contracts/commands/command.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type Database, type Identity, type Query, retryTransaction } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import {
  type AdminSession,
  findAdminSession,
} from '#server/features/admin-session/admin-sessions.ts'
import { adminMetadata } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'

/**
 * The implementation of a command whose endpoint is defined in the folder `contracts`. The server runs the functions
 * `asStaff` and `asServer` in one transaction; if either function refuses the command, the transaction is rolled back.
 */
export type Command<Input, Output, Changed, Prepared = undefined> = {
  readonly endpoint: CommandEndpoint<Input, Output>
  /**
   * Runs before the transaction, for example to call Stripe. If this function refuses, the command is refused. The
   * server may call this function several times for one command, but not after the result of the command is stored.
   */
  readonly prepare?: (input: Input) => Promise<Result<Prepared, Refusal>>
  /** Runs the first statements of the command, with the database rights of the signed-in staff account. */
  readonly asStaff: (query: Query, input: Input) => Promise<Result<Changed, Refusal>>
  /**
   * Runs after `asStaff`, with the database rights of the server. Contains only statements that staff may not run, such
   * as queueing an email.
   */
  readonly asServer: (
    query: Query,
    input: Input,
    changed: Changed,
    prepared: Prepared | undefined,
  ) => Promise<Result<Output, Refusal>>
}

/** Defines the command of an endpoint. TypeScript infers the types of the input and the output from the endpoint. */
export function defineCommand<Input, Output, Changed, Prepared = undefined>(
  endpoint: CommandEndpoint<Input, Output>,
  steps: Omit<Command<Input, Output, Changed, Prepared>, 'endpoint'>,
): Command<Input, Output, Changed, Prepared> {
  return { endpoint, ...steps }
}

export type CommandDependencies = { readonly database: Database }

type CommandBody<Input> = { readonly commandId: string; readonly input: Input }
type CommandResponse<Output> = { readonly ok: true; readonly result: Output }

/** The route of a command: `serve(app, endpoint).with(commandRoute(dependencies, command))`. */
export function commandRoute<Input, Output, Changed, Prepared>(
  dependencies: CommandDependencies,
  command: Command<Input, Output, Changed, Prepared>,
) {
  return {
    invalid: { code: 'BAD_REQUEST' },
    handle: (body: CommandBody<Input>, { request }: { readonly request: FastifyRequest }) =>
      runCommand(dependencies, command, body, request),
    present: (response: CommandResponse<Output>) => response,
  } as const
}

/**
 * Runs a command once for each command id, in one transaction (docs/decisions/0032). The row in `internal.commands` is
 * inserted first, so that a simultaneous request with the same command id waits for that row and then returns the
 * stored result.
 */
async function runCommand<Input, Output, Changed, Prepared>(
  { database }: CommandDependencies,
  command: Command<Input, Output, Changed, Prepared>,
  { commandId, input }: CommandBody<Input>,
  request: FastifyRequest,
): Promise<Result<CommandResponse<Output>, Refusal>> {
  const { endpoint } = command
  const admin = await findAdminSession(database, readSessionCookie(request) ?? '')
  if (!admin) return refused({ code: 'UNAUTHENTICATED' })
  const row = { id: commandId, name: endpoint.name, userId: admin.userId, input }
  const prepared = await prepare(database, command, row, input)
  if (prepared && !prepared.ok) return prepared
  try {
    return await retryTransaction(() =>
      database.transaction(asServer, async (query, actAs) => {
        if (!(await insertCommand(query, row))) {
          return accepted(readResponse(endpoint, await findResult(query, row)))
        }
        // The database allows an owner to change staff accounts only inside a command (internal.require_command).
        if (endpoint.rights === 'owner') {
          await query("select set_config('shop.command', $1, true)", [endpoint.name])
        }
        const changed = await actAs(identityOf(admin), () => change(command, query, input))
        const result = orRollBack(await command.asServer(query, input, changed, prepared?.value))
        await query('update internal.commands set result = $2 where id = $1', [
          commandId,
          JSON.stringify(result),
        ])
        return accepted(readResponse(endpoint, result))
      }),
    )
  } catch (error) {
    if (error instanceof RolledBack) return refused(error.refusal)
    throw error
  }
}

/**
 * Runs the function `prepare` of a command, unless the command has no such function or its result is already stored. If
 * the database refuses a statement, the command is refused too.
 */
async function prepare<Input, Output, Changed, Prepared>(
  database: Database,
  command: Command<Input, Output, Changed, Prepared>,
  { id }: CommandRow,
  input: Input,
): Promise<Result<Prepared, Refusal> | undefined> {
  if (!command.prepare) return undefined
  const known = await database.transaction(asServer, (query) =>
    query('select from internal.commands where id = $1', [id]),
  )
  if (known.length > 0) return undefined
  try {
    return await command.prepare(input)
  } catch (error) {
    const cause = databaseRefusalOf(error)
    if (!cause) throw error
    return refused({ code: 'REFUSED_BY_DATABASE', cause })
  }
}

/** Runs the function `asStaff` of a command. If the database refuses a statement, the command is refused too. */
async function change<Input, Output, Changed, Prepared>(
  command: Command<Input, Output, Changed, Prepared>,
  query: Query,
  input: Input,
): Promise<Changed> {
  try {
    return orRollBack(await command.asStaff(query, input))
  } catch (error) {
    const cause = databaseRefusalOf(error)
    throw cause ? new RolledBack({ code: 'REFUSED_BY_DATABASE', cause }) : error
  }
}

/** Deletes the stored results of commands after a day, because no client repeats such an old command. */
export async function deleteOldCommands(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(`delete from internal.commands where created_at < now() - interval '1 day'`),
  )
}

/** Returns the database identity of a staff account, with the JWT claims that the account's access token contains. */
function identityOf({ userId, username, role }: AdminSession): Identity {
  const claims = {
    role: 'authenticated',
    sub: userId,
    app_metadata: adminMetadata(username),
  }
  return { role: `shop_${role}`, claims }
}

type CommandRow = {
  readonly id: string
  readonly name: string
  readonly userId: string
  readonly input: unknown
}

/**
 * Inserts the row of a command into `internal.commands`. Returns false if the row already exists. Waits while another
 * transaction runs the same command.
 */
async function insertCommand(query: Query, row: CommandRow): Promise<boolean> {
  const inserted = await query(
    `insert into internal.commands (id, name, user_id, input_hash) values ($1, $2, $3, $4)
     on conflict (id) do nothing returning id`,
    [row.id, row.name, row.userId, hashOf(row.input)],
  )
  return inserted.length === 1
}

/** Returns the stored result of a command. Throws if the id was used with another input or by another staff account. */
async function findResult(query: Query, row: CommandRow): Promise<unknown> {
  const [same] = await query(
    'select result from internal.commands where id = $1 and name = $2 and user_id = $3 and input_hash = $4',
    [row.id, row.name, row.userId, hashOf(row.input)],
  )
  if (!same) throw new RolledBack({ code: 'COMMAND_ID_USED' })
  return same.result
}

function readResponse<Input, Output>(
  endpoint: CommandEndpoint<Input, Output>,
  result: unknown,
): CommandResponse<Output> {
  const read = endpoint.response.safeParse({ ok: true, result })
  if (!read.success) throw new Error(`The result of ${endpoint.name} violates the response schema`)
  return read.data
}

const hashOf = (input: unknown): Buffer =>
  createHash('sha256').update(JSON.stringify(input)).digest()

/**
 * Thrown to roll back the transaction of a refused command, so that the row of the command is not stored and the
 * same id can be used again.
 */
class RolledBack extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super('code' in refusal ? refusal.code : 'refused')
    this.refusal = refusal
  }
}

function orRollBack<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new RolledBack(result.refusal)
  return result.value
}

/**
 * The SQLSTATE classes with which the database refuses an input: invalid data (22), violated constraints (23), and
 * rules of this product (TT). All other errors are unexpected failures.
 */
const refusalClasses = /^(22|23|TT)/

function databaseRefusalOf(error: unknown): DatabaseRefusal | undefined {
  if (!(error instanceof pg.DatabaseError) || !refusalClasses.test(error.code ?? '')) {
    return undefined
  }
  const { code = '', message, hint = null, detail = null } = error
  return { code, message, hint, details: detail }
}
