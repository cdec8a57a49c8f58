// Checks each direct dependency against the registry: `npm run check:dependencies`. Needs the network, so `npm test`
// does not include it; docs/deployment states when to run it.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Dependency,
  judgeDependency,
  listDependencies,
  type Manifest,
  type Published,
} from './dependencies.ts'
import type { LockedPackages } from './lockfile.ts'

const root = join(import.meta.dirname, '../..')
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'))

const { packages } = readJson('package-lock.json') as { packages: LockedPackages }
const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })].map(
  (name) => readJson(name) as Manifest,
)
const dependencies = listDependencies(manifests, packages)
const problems: string[] = []
for (const dependency of dependencies) {
  const judged = judgeDependency(dependency, await fetchPublished(dependency), Date.now())
  console.log(judged.line)
  problems.push(...judged.problems)
}
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`${dependencies.length} dependencies, none too recent.`)
process.exitCode = problems.length === 0 ? 0 : 1

/** Reads the registry through npm, which has the registry's address and credentials. */
async function fetchPublished({ name, version }: Dependency): Promise<Published> {
  const npm = process.env['npm_execpath']
  if (npm === undefined) throw new Error('Start it with "npm run check:dependencies".')
  const view = ['view', `${name}@${version}`, 'time', 'dist', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [npm, ...view], {
    maxBuffer: 64 * 2 ** 20,
  })
  const { time, dist } = JSON.parse(stdout) as {
    readonly time?: Readonly<Record<string, string>>
    readonly dist?: { readonly signatures?: readonly { readonly keyid: string }[] }
  }
  return { at: time?.[version], keys: dist?.signatures?.map(({ keyid }) => keyid) ?? [] }
}
