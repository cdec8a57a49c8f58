import { readFileSync } from 'node:fs'
import { listFiles } from './list-files.ts'
import { findNames, findRetiredWords, readRetiredWords } from './retired-words.ts'

// `npm test` runs this script, which exits with status 1 and prints a line for each name that contains a retired word
// of docs/glossary.md.

const paths = listFiles()
  // Migrations are excluded: applied migrations never change, so they keep old names.
  .filter((path) => !path.startsWith('supabase/migrations/'))

const names = paths.flatMap((path) =>
  findNames(path, /\.(ts|tsx|mjs|css|sql)$/.test(path) ? readFileSync(path, 'utf8') : ''),
)
const retired = readRetiredWords(readFileSync('docs/glossary.md', 'utf8'))
if (retired.length === 0) throw new Error('docs/glossary.md has no table of retired words')
const found = findRetiredWords(names, retired)

for (const line of found) console.error(line)
if (found.length > 0) process.exit(1)
console.log(`${names.length} names contain none of ${retired.length} retired words.`)
