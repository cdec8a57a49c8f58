import { parseSync, Visitor } from 'vite'
import type { ESTree } from 'vite'

/** A word that no name in the code may contain: a row of the table in docs/glossary.md. */
export type RetiredWord = {
  readonly word: string
  readonly instead: string
  /** Names and paths in which the word is allowed; `*` stands for any characters. */
  readonly exceptions: readonly string[]
}

/** A name that the code declares, with its file and line. The path of a file counts as a name as well. */
export type Name = { readonly path: string; readonly line: number; readonly name: string }

const quoted = /`([^`]+)`/g

/** Reads the rows of the table 'Retired words' in docs/glossary.md. One row can list several forms of a word. */
export function readRetiredWords(glossary: string): RetiredWord[] {
  const [, table = ''] = glossary.split('## Retired words')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => {
    const [, words = '', instead = '', exceptions = ''] = row.split('|')
    return namesIn(words).map((word) => ({
      word,
      instead: instead.trim(),
      exceptions: namesIn(exceptions),
    }))
  })
}

/** Returns the texts between backticks. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(quoted)].map(([, name = '']) => name)
}

/** Returns one sentence for each name that contains a retired word. */
export function findRetiredWords(
  names: readonly Name[],
  retired: readonly RetiredWord[],
): string[] {
  const byWord = new Map(retired.map((entry) => [entry.word, entry]))
  return names.flatMap(({ path, line, name }) =>
    wordsOf(name).flatMap((word) => {
      const entry = byWord.get(word)
      if (!entry || isExcepted(entry, path, name)) return []
      return [`${path}:${line}: '${name}' has the retired word '${word}'. Write: ${entry.instead}.`]
    }),
  )
}

function isExcepted({ exceptions }: RetiredWord, path: string, name: string): boolean {
  return exceptions.some((pattern) => matches(pattern, pattern.includes('/') ? path : name))
}

function matches(pattern: string, text: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => RegExp.escape(part))
    .join('.*')
  return new RegExp(`^${source}$`).test(text)
}

/**
 * Splits a name into words: 'readVisitPage', 'visit_page' and 'visit-page.ts' contain the words read, visit, page and
 * ts.
 */
function wordsOf(name: string): string[] {
  return [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase())
}

/** Lists the names that a file declares; the first one is the path of the file. */
export function findNames(path: string, text: string): Name[] {
  return [{ path, line: 1, name: path }, ...declaredNames(path, text)]
}

function declaredNames(path: string, text: string): Name[] {
  if (/\.(ts|tsx|mjs)$/.test(path)) return namesOfCode(path, text)
  if (path.endsWith('.css'))
    return namesMatching(path, text, /(?<=\.|--)[a-z][a-z0-9-]*(?=[^{};]*\{|\s*:)/g)
  if (/^supabase\/schemas\/.*\.sql$/.test(path)) {
    return namesMatching(path, withoutTexts(text), /\b[a-z][a-z0-9_]*\b/g)
  }
  return []
}

function namesMatching(path: string, text: string, pattern: RegExp): Name[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    name: match[0],
  }))
}

/** Replaces comments and string literals of SQL by spaces, which keeps the line numbers. */
function withoutTexts(sql: string): string {
  return sql.replace(/--.*$|'[^']*'/gm, (found) => found.replace(/[^\n]/g, ' '))
}

/** Lists every name that a script declares: variables, parameters, functions, types and properties. */
function namesOfCode(path: string, source: string): Name[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const names: Name[] = []
  const add = (node: ESTree.Node | null | undefined) => {
    if (node?.type !== 'Identifier') return
    names.push({ path, line: lineAt(source, node.start), name: node.name })
  }
  const addPattern = (node: ESTree.Node | null | undefined): void => {
    if (node?.type === 'ObjectPattern') node.properties.forEach(addPattern)
    else if (node?.type === 'Property') addPattern(node.value)
    else if (node?.type === 'ArrayPattern') node.elements.forEach(addPattern)
    else if (node?.type === 'AssignmentPattern') addPattern(node.left)
    else if (node?.type === 'RestElement') addPattern(node.argument)
    else add(node)
  }
  new Visitor({
    VariableDeclarator: ({ id }) => addPattern(id),
    FunctionDeclaration: ({ id, params }) => [id, ...params].forEach(addPattern),
    FunctionExpression: ({ id, params }) => [id, ...params].forEach(addPattern),
    ArrowFunctionExpression: ({ params }) => params.forEach(addPattern),
    ClassDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSPropertySignature: ({ key }) => add(key),
    TSMethodSignature: ({ key }) => add(key),
    PropertyDefinition: ({ key }) => add(key),
    MethodDefinition: ({ key }) => add(key),
    Property: ({ key }) => add(key),
  }).visit(program)
  return names
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
