import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitStatements, type SqlStatement } from './sql-statements.ts'

/** A statement of `supabase/schemas`, with its file and line, which error messages name. */
export type SchemaStatement = SqlStatement & { readonly file: string; readonly line: number }

/**
 * Reads the statements of the schema files and sorts them so that PostgreSQL can execute them. Each topic has one
 * file, although its tables refer to tables and functions of later topics. The statements are therefore sorted by
 * their kind first, and by their position in the files second.
 */
export async function readSchema(folder: string): Promise<SchemaStatement[]> {
  const directory = join(folder, 'schemas')
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  const statements = await Promise.all(files.map(async (file) => readStatements(directory, file)))
  return inOrder(statements.flat())
}

async function readStatements(directory: string, file: string): Promise<SchemaStatement[]> {
  const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n')
  return splitStatements(sql).map(({ text, position, tokens }) => {
    const line = sql.slice(0, position).split('\n').length
    return { text, position, tokens, file, line }
  })
}

/**
 * The kinds of statements in the order of their execution, identified by the beginning of a statement. The first
 * rows are inserted before the triggers exist, because the triggers would record them as changes. Roles, schemas and
 * default privileges come first, because default privileges apply only to objects that are created afterwards.
 */
const kinds = [
  /^(?:create (?:schema|extension)|alter default privileges|(?:grant|revoke) .* on schema) /,
  /^create (?:type|domain|sequence) /,
  /^create (?:unlogged )?table /,
  /^create (?:function|view) /,
  /^(?:alter table \S+ (?:\. \S+ )?add|create (?:unique )?index|do) /,
  /^(?:insert into|select) /,
  /^create (?:constraint )?trigger /,
  /^(?:alter table|create policy|grant|revoke|comment on) /,
]

/**
 * Whether the statement is in the file 00_roles.sql. The statements of this file keep their order and are not sorted by
 * kind, because a `do` block creates the roles (`create role` has no `if not exists`).
 */
const isOfRoles = ({ file }: SchemaStatement) => file.startsWith('00_')

function inOrder(statements: readonly SchemaStatement[]): SchemaStatement[] {
  const byKind = kinds.map((): SchemaStatement[] => [])
  for (const statement of statements) {
    if (!isOfRoles(statement)) byKind[kindOf(statement)]?.push(statement)
  }
  return afterWhatTheyMention([...statements.filter(isOfRoles), ...byKind.flat()])
}

function kindOf(statement: SchemaStatement): number {
  const beginning = `${statement.tokens.slice(0, 60).join(' ')} `
  const kind = kinds.findIndex((pattern) => pattern.test(beginning))
  if (kind >= 0) return kind
  throw new Error(
    `supabase/schemas/${statement.file}:${statement.line}: no kind of statement begins with '${beginning.slice(0, 40)}…'. A change of an object belongs into its definition.`,
  )
}

/**
 * Sorts each object before the first statement that needs it. PostgreSQL looks up a name immediately in a table, a
 * view, a signature and a body in the standard form (`begin atomic`, `return`). Bodies in dollar quotes are ignored,
 * because PostgreSQL looks up their names when they run.
 */
function afterWhatTheyMention(statements: readonly SchemaStatement[]): SchemaStatement[] {
  const definitions = new Map<string, SchemaStatement[]>()
  for (const statement of statements) {
    const name = definedName(statement)
    if (name !== undefined) definitions.set(name, [...(definitions.get(name) ?? []), statement])
  }
  const ordered = new Set<SchemaStatement>()
  const open = new Set<SchemaStatement>()
  const addStatement = (statement: SchemaStatement): void => {
    if (ordered.has(statement) || open.has(statement)) return
    open.add(statement)
    const own = definedName(statement)
    for (const name of mentionedNames(statement)) {
      if (name !== own) definitions.get(name)?.forEach(addStatement)
    }
    open.delete(statement)
    ordered.add(statement)
  }
  statements.forEach(addStatement)
  return [...ordered]
}

const creation =
  /^create (?:unlogged )?(?:table|view|function|type|domain|sequence) (\w+) \. (\w+) /

function definedName({ tokens }: SchemaStatement): string | undefined {
  const [, schema, name] = creation.exec(`${tokens.slice(0, 6).join(' ')} `) ?? []
  return schema && name && `${schema}.${name}`
}

/** Returns every `schema.name` that the statement mentions. */
function mentionedNames({ tokens }: SchemaStatement): string[] {
  return tokens.flatMap((token, index) =>
    token === '.' ? [`${tokens[index - 1]}.${tokens[index + 1]}`] : [],
  )
}
