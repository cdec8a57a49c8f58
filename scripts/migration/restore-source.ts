type Statement = { readonly text: string }

/**
 * Replaces the definition of a function by its text in the schema files, because PostgreSQL prints definitions without
 * comments and with all names resolved. Overloaded functions keep the printed text.
 */
export function restoreSource(sql: string, schema: readonly Statement[]): string {
  const [, name] = /^CREATE OR REPLACE FUNCTION ([\w.]+)\(/.exec(sql) ?? []
  const [source, ...more] = schema
    .map(({ text }) => text.slice(Math.max(0, text.search(/^create function/m))))
    .filter((text) => text.startsWith(`create function ${name}(`))
  if (!source || more.length > 0) return sql
  return source.replace('create function', 'create or replace function')
}
