import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** A JSON value, and the type that it has to fit as source text, as an imported type. */
export type TypedValue = { readonly value: unknown; readonly type: string }

/**
 * Has the compiler compare values with types: a sentence for each that does not fit, nothing when all do.
 * A field too many is a misfit as well.
 */
export async function findTypeErrors(claims: readonly TypedValue[]): Promise<string[]> {
  const sources = claims.map(
    ({ value, type }) => `export const _ = ${JSON.stringify(value, null, 1)} satisfies ${type}`,
  )
  // A value may come a hundred times; each is a module of its own, so that a name is enough.
  const files = [...new Set(sources)].map((source, index) => ({
    name: `${index}.ts`,
    lines: source.split('\n'),
  }))
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'claims-'))
  try {
    for (const { name, lines } of files) writeFileSync(join(folder, name), lines.join('\n'))
    const config = { extends: '../../tsconfig.base.json', files: files.map(({ name }) => name) }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const linesOf = new Map(files.map(({ name, lines }) => [name, lines]))
    return (await compile(folder)).map((output) => describe(output, linesOf))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The compiler's complaints about a folder, without the lines that explain them further. */
function compile(folder: string): Promise<string[]> {
  const args = [compiler, '-p', folder, '--pretty', 'false']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (error, output) => {
      const complaints = output.split('\n').filter((line) => /^\S.*: error TS/.test(line))
      if (error && complaints.length === 0) reject(error)
      else resolve(complaints)
    })
  })
}

/** The complaint with the line of the value that it is about. */
function describe(complaint: string, linesOf: ReadonlyMap<string, readonly string[]>): string {
  const [, name = '', line = '', output = complaint] =
    /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(complaint) ?? []
  const source = linesOf.get(name)?.[Number(line) - 1] ?? name
  return `${source.trim().slice(0, 120)} - ${output}`
}
