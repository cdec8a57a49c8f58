// The entry point of `npm start`, `npm test` and the other commands. Runs on any Node from 20.19 without installed
// packages, installs the packages of the lockfile, and starts the Node of the lockfile.
//
//   node scripts/run.mjs start            starts the site; builds the pages first if their sources changed
//   node scripts/run.mjs build            builds the pages only, unless they are up to date
//   node scripts/run.mjs test             runs every check, see test.mjs
//   node scripts/run.mjs bench            runs the benchmarks; builds the pages first if their sources changed
//   node scripts/run.mjs path/to/file.ts  runs any other script of the project with its arguments
import { resolve } from 'node:path'
import { installIfStale } from './install.mjs'
import { chooseNode, pinCompileCache, runNode } from './node-runtime.mjs'
import { buildIfStale } from './build-if-stale.mjs'

const root = resolve(import.meta.dirname, '..')
const [command = 'start', ...rest] = process.argv.slice(2)

process.chdir(root)
pinCompileCache(root)
await installIfStale(root)
const node = chooseNode(root)
process.exitCode = await dispatch()

async function dispatch() {
  if (command === 'start') return buildAndRun('server/main.ts')
  if (command === 'bench') return buildAndRun('bench/run.ts')
  if (command === 'build') return buildIfStale(root, node)
  if (command === 'test') return runNode(node, ['scripts/test.mjs', ...rest])
  return runNode(node, [command, ...rest])
}

async function buildAndRun(file) {
  const built = await buildIfStale(root, node)
  return built === 0 ? runNode(node, [file, ...rest]) : built
}
