import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { findCycles, findViolations } from './boundaries.ts'

// Run by `npm test`: exits 1 with a line for each import that crosses a boundary and for each circle of imports.

/** A module, a file that is read at run time by its name, or a path that climbs to the web side. */
const importPattern =
  /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bimport\.meta\.resolve\(\s*)'([^']+)'|'((?:\.\.\/)+web\/[^']*)'/g

const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && existsSync(path))

const files = paths.map((path) => ({
  path,
  imports: [...readFileSync(path, 'utf8').matchAll(importPattern)].map(
    (match) => match[1] ?? match[2] ?? '',
  ),
}))
const violations = [...findViolations(files), ...findCycles(files)]

for (const line of violations) console.error(line)
if (violations.length > 0) process.exit(1)
console.log(`${paths.length} files keep the boundaries and import one another in no circle.`)
