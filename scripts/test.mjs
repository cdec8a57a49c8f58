// Runs every check, the fastest first, and stops at the first failure.
//   npm test                 all of them
//   npm test -- types unit   only the steps whose names contain one of the words
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { makeTmpfsFolder } from './tmpfs-folder.mjs'
import { provideBrowser } from './provide-browser.mjs'
import { buildIfStale } from './build-if-stale.mjs'

const root = resolve(import.meta.dirname, '..')
const temporary = makeTmpfsFolder()

/**
 * The steps of a test run. Each has a name, and either a command with optional environment variables or a function that
 * resolves to an exit status.
 * @type {[name: string, action: string | (() => number | Promise<number>), environment?: Record<string, string>][]}
 */
const steps = [
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint --type-aware --deny-warnings'],
  ['types: domain', 'tsc -p domain'],
  ['types: server', 'tsc -p server'],
  ['types: hosted functions', 'tsc -p supabase/functions'],
  ['types: web', 'tsc -p web'],
  ['types: browser tests', 'tsc -p tests/browser'],
  ['boundaries', 'node scripts/checks/check-boundaries.ts'],
  ['retired words', 'node scripts/checks/check-retired-words.ts'],
  ['citations', 'node scripts/checks/check-citations.ts'],
  ['shared classes', 'node scripts/checks/check-shared-classes.ts'],
  ['dead code', 'knip'],
  ['lockfile', 'node scripts/checks/check-lockfile.ts'],
  // The build precedes the server tests, because some of them request built pages.
  ['build', () => buildIfStale(root, process.execPath)],
  ['byte budgets', 'node scripts/checks/check-bytes.ts'],
  ['unit tests', 'vitest run --project unit'],
  ['server and database tests', 'vitest run --project server', { CHECK_CALLED_FUNCTIONS: 'yes' }],
  ['browser', provideBrowser],
  ['benches', 'node bench/run.ts --smoke'],
  ['component tests', 'vitest run --project components'],
  ['browser tests', 'playwright test --config tests/browser'],
]

process.exitCode = await runSteps(process.argv.slice(2))

async function runSteps(filters) {
  const chosen = steps.filter(
    ([name]) => filters.length === 0 || filters.some((filter) => name.includes(filter)),
  )
  const results = []
  for (const [name, action, environment] of chosen) {
    console.log(`\n▶ ${name}`)
    const started = performance.now()
    const status = await (typeof action === 'string' ? runCommand(action, environment) : action())
    results.push({ name, status, seconds: (performance.now() - started) / 1000 })
    if (status !== 0) break
  }
  summarize(results, chosen)
  return results.every(({ status }) => status === 0) && results.length > 0 ? 0 : 1
}

function summarize(results, chosen) {
  console.log('\nSummary')
  for (const { name, status, seconds } of results) {
    console.log(`  ${status === 0 ? '✓' : '✗'} ${name.padEnd(28)} ${seconds.toFixed(1)} s`)
  }
  const left = chosen.length - results.length
  if (left > 0) console.log(`  ${left} later steps were not run.`)
  if (chosen.length === 0) console.log('  No step has such a name.')
}

function runCommand(command, environment) {
  const [program, ...args] = command.split(' ')
  const bin = join(root, 'node_modules', '.bin')
  const file = program === 'node' ? process.execPath : join(bin, program)
  if (!existsSync(file)) throw new Error(`${program} is not installed`)
  return new Promise((ended) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        // Each tool's first line runs `env node`, so this PATH makes the tools use the Node binary from
        // package-lock.json.
        PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
        // Makes Node cache compiled code, because hundreds of processes load the same code.
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
        ...(temporary && { TMPDIR: temporary }),
        ...environment,
      },
    })
    child.once('exit', (code) => ended(code ?? 1))
  })
}
