import { readFileSync } from 'node:fs'
import { findLostCitations, sectionsOf } from './citations.ts'
import { listFiles } from './list-files.ts'

// `npm test` runs this script, which exits with status 1 and prints a line for each comment that cites a missing
// section or text.

const paths = listFiles().filter(
  (path) => /\.(ts|tsx|mjs|css|sql|md)$/.test(path) && !path.startsWith('scripts/checks/citations'),
)

const files = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const lost = findLostCitations(files, sectionsOf(readFileSync('docs/product.md', 'utf8')))

for (const line of lost) console.error(line)
if (lost.length > 0) process.exit(1)
console.log(`Every citation in ${files.length} files refers to a section of docs/product.md.`)
