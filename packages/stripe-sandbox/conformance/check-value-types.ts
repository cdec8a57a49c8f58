import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** Returns the source text that imports the types of a file in this folder. */
export function typesOf(file: string): string {
  return `import(${JSON.stringify(join(import.meta.dirname, file))})`
}

/** A JSON value, and the source text of the TypeScript type that it must have. */
export type TypedValue = { readonly value: unknown; readonly type: string }

/**
 * Compares values with their types by running the TypeScript compiler. Returns one sentence for each error. A field
 * that the type does not declare is an error.
 */
export async function findTypeErrors(values: readonly TypedValue[]): Promise<string[]> {
  const sources = values.map(
    ({ value, type }) => `export const _ = ${JSON.stringify(value, null, 1)} satisfies ${type}`,
  )
  // Equal source texts are compiled only once. Each source text becomes a separate module, because all of them export
  // the same name.
  const files = [...new Set(sources)].map((source, index) => ({
    name: `${index}.ts`,
    lines: source.split('\n'),
  }))
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'values-'))
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

/** Compiles a folder and returns the first line of each compiler error. */
function compile(folder: string): Promise<string[]> {
  const args = [compiler, '-p', folder, '--pretty', 'false']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (error, output) => {
      const errors = output.split('\n').filter((line) => /^\S.*: error TS/.test(line))
      if (error && errors.length === 0) reject(error)
      else resolve(errors)
    })
  })
}

/** Puts the source line that contains the value before the error message. */
function describe(error: string, linesOf: ReadonlyMap<string, readonly string[]>): string {
  const [, name = '', line = '', output = error] =
    /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(error) ?? []
  const source = linesOf.get(name)?.[Number(line) - 1] ?? name
  return `${source.trim().slice(0, 120)} - ${output}`
}
