import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'
import { parseSync, Visitor } from 'vite'
import type { ESTree } from 'vite'

const root = join(import.meta.dirname, '../../..')

/** A function of the product's schemas, with its callers according to the PostgreSQL catalog. */
type DatabaseFunction = {
  readonly oid: number
  /** The name with its schema, such as 'public.read_day'. Overloads share a name. */
  readonly name: string
  /**
   * The source of a body in dollar quotes. Empty for a `begin atomic` body, whose calls the PostgreSQL catalog lists as
   * dependencies.
   */
  readonly body: string
  /** Whether a trigger, policy, constraint, default, generated column, index or view calls the function. */
  readonly isCalledByObject: boolean
  /**
   * Whether the function is in `public` and its argument is a row of a table. Pages can select such a function as a
   * column through the data service (REST API).
   */
  readonly isComputedColumn: boolean
  /** Functions that call this function from a `begin atomic` body or from the default of an argument. */
  readonly callers: readonly number[]
}

/**
 * Finds the names of the functions that nothing in the product calls: no page, server statement, trigger, policy,
 * constraint, default, index, view or erasure rule, and no body of a called function. Tests do not count as callers.
 */
export async function findUncalledFunctions(client: ClientBase | Pool): Promise<string[]> {
  const functions = await readFunctions(client)
  const { names, selected } = readSources()
  const { rows: rules } = await client.query<{ sql: string }>(
    'select rule::text as sql from internal.erasure_rules rule',
  )
  for (const { sql } of rules) functionsNamedIn(sql).forEach((name) => names.add(name))
  const called = new Set(
    functions.filter(
      ({ name, isCalledByObject, isComputedColumn }) =>
        isCalledByObject || names.has(name) || (isComputedColumn && selected.has(name)),
    ),
  )
  // The loop also visits functions that its body adds to the set `called`: those that the current function calls.
  for (const { oid, body } of called) {
    const named = new Set(functionsNamedIn(withoutComments(body)))
    for (const one of functions) {
      if (named.has(one.name) || one.callers.includes(oid)) called.add(one)
    }
  }
  return functions.filter((one) => !called.has(one)).map(({ name }) => name)
}

async function readFunctions(client: ClientBase | Pool): Promise<DatabaseFunction[]> {
  const { rows } = await client.query<DatabaseFunction>(
    `select p.oid, n.nspname || '.' || p.proname as name, p.prosrc as body,
       exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
         and d.classid <> 'pg_proc'::regclass) as "isCalledByObject",
       n.nspname = 'public' and p.pronargs = 1
         and exists (select from pg_class c where c.reltype = p.proargtypes[0]) as "isComputedColumn",
       array(select d.objid from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
         and d.classid = 'pg_proc'::regclass) as callers
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'auth', 'extensions')
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid
         and d.deptype = 'e')
     order by name`,
  )
  return rows
}

/**
 * `names`: the functions that pages call through the data service (REST API), and the functions in the SQL statements
 * of the server. `selected`: each word in the string literals of pages and contracts, because a page may select a
 * function of `public` as a column.
 */
function readSources(): { names: Set<string>; selected: Set<string> } {
  const names = new Set<string>()
  const selected = new Set<string>()
  const files = globSync(
    '{contracts,emails,packages,scripts,server,supabase/functions,web}/**/*.{ts,tsx}',
    {
      cwd: root,
      exclude: ['**/*.test.*', '**/statements.ts', 'supabase/tests/**'],
    },
  )
  for (const path of files) {
    const { program, errors } = parseSync(path, readFileSync(join(root, path), 'utf8'))
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
    const readText = (text: string) => {
      for (const name of functionsNamedIn(text)) names.add(name)
      if (!/^(?:contracts|web)\//.test(path)) return
      for (const [word] of text.matchAll(/\w+/g)) selected.add(`public.${word}`)
    }
    new Visitor({
      Literal: ({ value }) => void (typeof value === 'string' && readText(value)),
      TemplateElement: ({ value }) => readText(value.cooked ?? value.raw),
      CallExpression({ callee, arguments: [name] }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (callee.property.name === 'rpc')
          textsOf(name).forEach((text) => names.add(`public.${text}`))
      },
    }).visit(program)
  }
  return { names, selected }
}

/**
 * Returns the possible values of the first argument of `rpc`: one for a string literal, two for a choice between two
 * literals.
 */
function textsOf(argument: ESTree.Argument | undefined): string[] {
  if (argument?.type === 'Literal') return [String(argument.value)]
  if (argument?.type !== 'ConditionalExpression') return []
  return [...textsOf(argument.consequent), ...textsOf(argument.alternate)]
}

/** Returns every `schema.name(` of an SQL text. All functions have an empty `search_path`, so calls name the schema. */
const functionsNamedIn = (sql: string): string[] =>
  [...sql.matchAll(/\b(\w+\.\w+)\s*\(/g)].map(([, name = '']) => name)

const withoutComments = (sql: string): string => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')
