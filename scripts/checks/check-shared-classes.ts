import { readFileSync } from 'node:fs'
import { listFiles } from './list-files.ts'
import { findSharedClasses } from './shared-classes.ts'

// The maximum number of CSS classes that several style sheets may style. With more, the check fails.
const allowed = 20

const paths = listFiles().filter((path) => path.startsWith('web/') && path.endsWith('.css'))
const shared = findSharedClasses(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
console.log(`${shared.size} CSS classes are styled by several sheets; ${allowed} are allowed.`)
if (shared.size > allowed) {
  for (const [name, sheets] of shared) console.error(`.${name}: ${sheets.join(', ')}`)
  process.exitCode = 1
}
