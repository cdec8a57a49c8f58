type Statement = { readonly text: string }

/**
 * Replaces a function definition that PostgreSQL printed by the text of the function in the schema files, because
 * PostgreSQL omits comments and resolves all names. Overloaded functions keep the printed definition.
 */
export function restoreSource(sql: string, schema: readonly Statement[]): string {
  const [, name] = /^CREATE OR REPLACE FUNCTION ([\w.]+)\(/.exec(sql) ?? []
  const [source, ...more] = schema
    .map(({ text }) => text.slice(Math.max(0, text.search(/^create function/m))))
    .filter((text) => text.startsWith(`create function ${name}(`))
  if (!source || more.length > 0) return sql
  return source.replace('create function', 'create or replace function')
}
