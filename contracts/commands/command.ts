import * as z from 'zod/mini'
import type { Endpoint, Reader } from '#contracts/api/endpoint.ts'

/**
 * An action of staff that changes several records in one transaction. The dashboard creates one `commandId` for each
 * press of a button. When the dashboard repeats a command, the server returns the first result. The server refuses the
 * same id with another input or from another staff account (COMMAND_ID_USED). A refused command changes nothing; the
 * dashboard can repeat it with the same id.
 *
 * When the database refuses the command (REFUSED_BY_DATABASE), `cause` contains the database's error.
 */
export function command<
  const Name extends string,
  Input extends z.ZodMiniType,
  Result extends z.ZodMiniType,
>(name: Name, input: Input, result: Result, { stepUp }: { readonly stepUp?: true } = {}) {
  return {
    name,
    method: 'POST',
    path: `/api/commands/${name}`,
    rights: 'admin',
    ...(stepUp && { stepUp }),
    request: z.object({ commandId: z.uuid(), input }),
    response: z.object({ ok: z.literal(true), result }),
  } as const
}

/** A command that only owners may send. */
export function ownerCommand<
  const Name extends string,
  Input extends z.ZodMiniType,
  Result extends z.ZodMiniType,
>(name: Name, input: Input, result: Result, options: { readonly stepUp?: true } = {}) {
  return { ...command(name, input, result, options), rights: 'owner' } as const
}

export type CommandEndpoint<Input, Output> = Omit<Endpoint, 'request' | 'response'> & {
  readonly name: string
  readonly request: z.ZodMiniType<{ readonly commandId: string; readonly input: Input }>
  readonly response: Reader<{ readonly ok: true; readonly result: Output }>
}

export type InputOf<Endpoint> =
  Endpoint extends CommandEndpoint<infer Input, infer _> ? Input : never
export type ResultOf<Endpoint> =
  Endpoint extends CommandEndpoint<infer _, infer Result> ? Result : never

/** An error of the database in the format in which the REST API returns it. */
export const databaseRefusal = z.object({
  /** The SQLSTATE of the error. */
  code: z.string(),
  message: z.string(),
  hint: z.nullable(z.string()),
  details: z.nullable(z.string()),
})
export type DatabaseRefusal = z.output<typeof databaseRefusal>
