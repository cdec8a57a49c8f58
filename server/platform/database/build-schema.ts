import { type Client, DatabaseError } from 'pg'
import { readSchema, type SchemaStatement } from './schema-files.ts'

/**
 * Creates everything that `supabase/schemas` defines, rows included, in a database that has only been bootstrapped.
 * Runs in the transaction of `client`.
 */
export async function buildSchema(client: Client, folder: string): Promise<void> {
  const statements = await readSchema(folder)
  // Bodies in dollar quotes name what is created later.
  await client.query('set local check_function_bodies = off')
  try {
    await client.query(statements.map(({ text }) => `${text};\n`).join(''))
  } catch (error) {
    throw nameLine(error, statements)
  }
}

/** PostgreSQL says at which character of the whole script it failed; a person wants the file and its line. */
function nameLine(error: unknown, statements: readonly SchemaStatement[]): unknown {
  if (!(error instanceof DatabaseError)) return error
  const where = error.position ? locationOf(Number(error.position), statements) : 'supabase/schemas'
  return new Error(`${where}: ${error.message}${error.hint ? ` (${error.hint})` : ''}`, {
    cause: error,
  })
}

function locationOf(position: number, statements: readonly SchemaStatement[]): string {
  let end = 0
  const failed = statements.find(({ text }) => (end += text.length + 2) >= position)
  return failed ? `supabase/schemas/${failed.file}:${failed.line}` : 'supabase/schemas'
}
