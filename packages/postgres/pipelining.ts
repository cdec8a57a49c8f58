import pg from 'pg'

/** One statement of a pipeline and the values of its placeholders. */
export type PipelinedStatement = {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** The rows of each statement; each row has its columns as the text that PostgreSQL sent. */
export type PipelinedRows = readonly (readonly (string | null)[])[][]

type Wire = {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string; types: number[] }): void
  bind(message: { portal: string; statement: string; values: readonly (string | null)[] }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
  sendCopyFail(message: string): void
}

// The maximum number and the maximum total length of the prepared statements of one connection. The limits are needed,
// because clients can cause any number of statement texts. A plan takes 80 to 300 times the memory of its text, and at
// least about 30 kB (measured on PostgreSQL 18).
const maxPrepared = 100
const maxPreparedBytes = 32 * 1024
const maxStatementBytes = 4 * 1024
const preparedBy = new WeakMap<object, PreparedStatements>()

/**
 * Sends `statements` in one network round trip as one transaction. The extended protocol runs the statements before a
 * Sync in an implicit transaction, commits it at the Sync, and rolls it back when one statement fails (PostgreSQL
 * manual, "Message Flow", Pipelining). Therefore `set_config(…, true)` in the first statement applies to all later
 * statements of the pipeline and ends with the transaction; the pipeline needs no begin and commit.
 *
 * `scope` is the role. Each role has prepared statements of its own: if row-level security applies, PostgreSQL plans a
 * prepared statement again whenever the role changes.
 */
export function runPipelined(
  client: pg.ClientBase,
  scope: string,
  statements: readonly PipelinedStatement[],
): Promise<PipelinedRows> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(scope, statements, resolve, reject) as unknown as pg.Submittable)
  })
}

/**
 * Implements the interface `Submittable` of node-postgres: `submit` writes the messages, the `handle…` methods
 * receive the responses.
 */
class Pipeline {
  private readonly scope: string
  private readonly statements: readonly PipelinedStatement[]
  private readonly resolve: (rows: PipelinedRows) => void
  private readonly reject: (error: Error) => void
  private readonly rows: (readonly (string | null)[])[][] = [[]]
  private readonly parsed: string[] = []
  private prepared: PreparedStatements | undefined

  constructor(
    scope: string,
    statements: readonly PipelinedStatement[],
    resolve: (rows: PipelinedRows) => void,
    reject: (error: Error) => void,
  ) {
    this.scope = scope
    this.statements = statements
    this.resolve = resolve
    this.reject = reject
  }

  submit(wire: Wire): undefined {
    this.prepared = preparedOn(wire)
    wire.stream.cork()
    try {
      for (const { text, values } of this.statements) {
        const key = `${this.scope}\n${text}`
        const { name, isNew } = this.prepared.assign(key, wire)
        if (isNew) {
          if (name !== unnamed) this.parsed.push(key)
          wire.parse({ name, text, types: [] })
        }
        wire.bind({ portal: '', statement: name, values })
        wire.execute({ portal: '', rows: 0 })
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.at(-1)?.push(fields)
  }

  handleCommandComplete(): void {
    this.rows.push([])
  }

  handleError(error: Error): void {
    // After an error, the server may have prepared only some of the statements, so the client forgets all of them.
    for (const key of this.parsed) this.prepared?.forget(key)
    this.reject(error)
  }

  /** PostgreSQL sends ReadyForQuery when it has committed the transaction of the pipeline. */
  handleReadyForQuery(): void {
    this.resolve(this.rows.slice(0, -1))
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('not a copy')
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}
}

/**
 * The empty name, which the protocol uses for the unnamed statement. PostgreSQL discards this statement when it parses
 * the next one, so the list of prepared statements does not contain this statement.
 */
const unnamed = ''

/** The prepared statements of one connection, the least recently used first. */
class PreparedStatements {
  private readonly names = new Map<string, string>()
  private readonly uncertain: string[] = []
  private count = 0
  private bytes = 0

  assign(key: string, wire: Wire): { name: string; isNew: boolean } {
    const existing = this.names.get(key)
    if (existing !== undefined) {
      this.names.delete(key)
      this.names.set(key, existing)
      return { name: existing, isNew: false }
    }
    for (const name of this.uncertain.splice(0)) wire.close({ type: 'S', name })
    const bytes = Buffer.byteLength(key)
    if (bytes > maxStatementBytes) return { name: unnamed, isNew: true }
    this.evictStatements(bytes, wire)
    this.count += 1
    const name = `pipelined_${this.count}`
    this.names.set(key, name)
    this.bytes += bytes
    return { name, isNew: true }
  }

  forget(key: string): void {
    const name = this.names.get(key)
    if (name === undefined) return
    this.drop(key)
    this.uncertain.push(name)
  }

  private evictStatements(bytes: number, wire: Wire): void {
    for (const [key, name] of this.names) {
      if (this.names.size < maxPrepared && this.bytes + bytes <= maxPreparedBytes) return
      this.drop(key)
      wire.close({ type: 'S', name })
    }
  }

  private drop(key: string): void {
    if (this.names.delete(key)) this.bytes -= Buffer.byteLength(key)
  }
}

function preparedOn(wire: Wire): PreparedStatements {
  const existing = preparedBy.get(wire)
  if (existing) return existing
  const prepared = new PreparedStatements()
  preparedBy.set(wire, prepared)
  return prepared
}
