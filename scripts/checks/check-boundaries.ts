import { readFileSync } from 'node:fs'
import { findViolations } from './boundaries.ts'
import { listFiles } from './list-files.ts'

// `npm test` runs this script, which exits with status 1 and prints a line for each import that the import rules
// forbid.

/**
 * Matches the imported file or package of an import statement, of `import()` and of `import.meta.resolve()`, and
 * relative paths into web/.
 */
const importPattern =
  /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bimport\.meta\.resolve\(\s*)'([^']+)'|'((?:\.\.\/)+web\/[^']*)'/g

const paths = listFiles().filter((path) => /\.(ts|tsx|mjs)$/.test(path))

const files = paths.map((path) => ({
  path,
  imports: [...readFileSync(path, 'utf8').matchAll(importPattern)].map(
    (match) => match[1] ?? match[2] ?? '',
  ),
}))
const violations = findViolations(files)

for (const line of violations) console.error(line)
if (violations.length > 0) process.exit(1)
console.log(`${paths.length} files respect the boundaries.`)
