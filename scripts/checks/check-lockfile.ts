import { readFileSync } from 'node:fs'
import { findLockfileProblems, type LockedPackages } from './lockfile.ts'

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
const { packages } = JSON.parse(text) as { packages: LockedPackages }
const problems = findLockfileProblems(packages)
for (const problem of problems) console.error(`package-lock.json: ${problem}`)
if (problems.length === 0) {
  console.log(`${Object.keys(packages).length} locked packages, for every platform.`)
}
process.exitCode = problems.length === 0 ? 0 : 1
