import type { ClientBase, FieldDef } from 'pg'

/** PostgreSQL's description of a statement, which PostgreSQL parsed without running it. */
export type Description = {
  /** The types of the placeholders $1, $2, …, as PostgreSQL's OIDs. */
  readonly parameters: readonly number[]
  readonly columns: readonly FieldDef[]
}

type Wire = {
  parse(message: { text: string }): void
  describe(message: { type: 'S' }): void
  sync(): void
  once(event: 'parameterDescription', listen: (message: { dataTypeIDs: number[] }) => void): void
}

/**
 * Describes a statement without running it (PostgreSQL manual, "Extended Query"); throws PostgreSQL's error for an
 * invalid statement.
 */
export function describeStatement(client: ClientBase, text: string): Promise<Description> {
  const { promise, resolve, reject } = Promise.withResolvers<Description>()
  let parameters: readonly number[] = []
  let columns: readonly FieldDef[] = []
  void client.query({
    submit(wire: Wire) {
      wire.once('parameterDescription', ({ dataTypeIDs }) => (parameters = dataTypeIDs))
      wire.parse({ text })
      wire.describe({ type: 'S' })
      wire.sync()
    },
    handleRowDescription: ({ fields }: { fields: FieldDef[] }) => (columns = fields),
    handleReadyForQuery: () => resolve({ parameters, columns }),
    handleError: (error: Error) =>
      reject(new Error(`${error.message}, in: ${text}`, { cause: error })),
  } as unknown as Parameters<ClientBase['query']>[0])
  return promise
}
