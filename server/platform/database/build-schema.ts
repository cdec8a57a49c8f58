import { type Client, DatabaseError } from 'pg'
import { readSchema, type SchemaStatement } from './schema-files.ts'

/**
 * Creates all objects and rows that `supabase/schemas` defines in a bootstrapped database, in the transaction of
 * `client`.
 */
export async function buildSchema(client: Client, folder: string): Promise<void> {
  const statements = await readSchema(folder)
  // The bodies of functions in dollar quotes may refer to objects that are created later, so PostgreSQL must not check
  // these bodies while the schema is built.
  await client.query('set local check_function_bodies = off')
  try {
    await client.query(statements.map(({ text }) => `${text};\n`).join(''))
  } catch (error) {
    throw nameLine(error, statements)
  }
}

/**
 * Adds the file and the line to an error of a schema file. PostgreSQL reports the position of an error only as a number
 * of characters in the whole script.
 */
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
