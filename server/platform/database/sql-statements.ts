/** One statement of an SQL file, without the semicolon at its end. */
export type SqlStatement = {
  /** The text of the statement as written, with the comments before it. */
  readonly text: string
  /** The position in the file at which the statement begins, after the comments. */
  readonly position: number
  /**
   * The words, quoted names and signs of the statement in order, without comments, string literals and bodies in dollar
   * quotes.
   */
  readonly tokens: readonly string[]
}

const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|[A-Za-z_][\w$]*|\s+|[\s\S]/gy

/** Splits the text of an SQL file into its statements. The body of a `begin atomic` function stays in one piece. */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let start = 0
  let position = 0
  let tokens: string[] = []
  let openBlocks = 0
  for (const { 0: part, index } of sql.matchAll(token)) {
    if (part === ';' && openBlocks === 0) {
      statements.push({ text: sql.slice(start, index).trim(), position, tokens })
      start = index + 1
      tokens = []
      continue
    }
    if (isIgnored(part)) continue
    if (tokens.length === 0) position = index
    openBlocks += blocksOpenedBy(part.toLowerCase(), tokens.at(-1), openBlocks)
    tokens.push(part.startsWith('"') ? part : part.toLowerCase())
  }
  if (tokens.length > 0) throw new Error('The last statement does not end with a semicolon.')
  return statements
}

const isIgnored = (part: string): boolean => /^(?:\s|--|\/\*|[eE]?'|\$\w*\$)/.test(part)

/**
 * Inside `begin atomic … end`, semicolons do not end the statement. A `case` inside the body has its own `end`,
 * which does not end the body.
 */
function blocksOpenedBy(word: string, before: string | undefined, openBlocks: number): number {
  if (word === 'atomic' && before === 'begin') return 1
  if (openBlocks === 0) return 0
  if (word === 'case') return 1
  return word === 'end' ? -1 : 0
}
