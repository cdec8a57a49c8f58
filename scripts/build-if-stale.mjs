import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './node-runtime.mjs'

/** The inputs of the web build. A change of any other file requires no new build. */
const sources = [
  'web',
  'domain',
  'contracts',
  'scripts/build-web.ts',
  'scripts/web-bundles.ts',
  'vite.config.ts',
  'package-lock.json',
]

/**
 * Runs the web build if its sources changed since the last build in dist/. Returns the exit status of the build, or 0
 * if no build was needed.
 */
export async function buildIfStale(root, node) {
  const stamp = join(root, 'dist', '.built-from')
  const state = hashSources(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return 0
  console.log('Building the pages…')
  const started = Date.now()
  const status = await runNode(node, ['scripts/build-web.ts'])
  if (status !== 0) return status
  writeFileSync(stamp, state)
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
  return 0
}

/** Hashes the contents of the input files, so that a fresh checkout or a changed timestamp causes no build. */
function hashSources(root) {
  const hash = createHash('sha256')
  // The hash includes the year, because the pages contain the current year.
  hash.update(`${new Date().getUTCFullYear()} ${process.env['SANDBOX_UI'] ?? ''}\n`)
  for (const file of sources.flatMap((source) => list(root, source))) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function list(root, source) {
  const path = join(root, source)
  if (!existsSync(path)) return []
  if (/\.\w+$/.test(source)) return [source]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}
