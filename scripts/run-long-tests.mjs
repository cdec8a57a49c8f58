// Runs the long tests one after the other and prints a table of the results. `npm test` runs shorter versions of the
// same tests.
//   npm run test:long                    all of them, about half an hour
//   npm run test:long -- crash payments  only those whose names contain one of the words
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { buildIfStale } from './build-if-stale.mjs'

const root = resolve(import.meta.dirname, '..')

/** @type {[name: string, tests: string[], environment?: Record<string, string>][]} */
const longTests = [
  ['power cut during bookings', ['tests/long/crashes/crash']],
  ['a lost machine, restored from its backup', ['tests/long/crashes/burnt-machine']],
  ['bookings a second with archiving', ['tests/long/archiving-throughput']],
  ['full disk during bookings', ['tests/long/crashes/full-disk']],
  ['database server killed during bookings', ['tests/long/crashes/database-crashes']],
  [
    'two hundred browsers book one slot',
    ['tests/long/races/one-slot-race', 'supabase/tests/bookings/double-booking'],
  ],
  ['staff and visitors change the same appointments', ['tests/long/races/staff-concurrency']],
  ['payments: crashes, repeated and reordered events', ['server/features/payments']],
  ['payments: killed at every step', ['tests/long/crashes/payment-crashes']],
  ['billing an estimate: killed at every step', ['tests/long/crashes/estimate-invoice-crashes']],
  ['commands of staff: killed while they run', ['tests/long/crashes/command-crashes']],
  ['mail server down, slow or refusing', ['server/features/emails']],
  ['REST fuzz', ['packages/data-service/fuzz'], { FUZZ_RUNS: '10000' }],
  ['small requests with a high cost', ['tests/long/costly-requests']],
  ['pipelined requests', ['tests/long/races/pipelined-requests']],
  ['permissions: every table, role and verb', ['supabase/tests/permission-matrix']],
  ['two processes on one database', ['tests/long/races/two-processes']],
  ['stop and start under load', ['tests/long/crashes/shutdown']],
  ['upgrade from every earlier schema', ['tests/long/upgrade']],
  ['the database of a hosted project', ['supabase/tests'], { TEST_PROJECT: 'hosted' }],
  ['server functions under Deno', ['tests/long/hosted/deno', 'tests/long/hosted/hosted']],
  ['backup and restore', ['server/platform/storage/restore-backup']],
  ['a simulated day', ['tests/long/simulation/simulated-day']],
]

const filters = process.argv.slice(2)
const chosen = longTests.filter(
  ([name]) => filters.length === 0 || filters.some((filter) => name.includes(filter)),
)
if (chosen.length === 0) {
  console.error(
    `No long test has such a name. There are:\n  ${longTests.map(([name]) => name).join('\n  ')}`,
  )
  process.exit(1)
}
const built = await buildIfStale(root, process.execPath)
if (built !== 0) process.exit(built)

const directory = mkdtempSync(join(tmpdir(), 'torque-prove-'))
const results = []
for (const [index, [name, tests, environment]] of chosen.entries()) {
  console.log(`\n▶ ${name}`)
  const report = join(directory, `${index}.txt`)
  const started = performance.now()
  const passed = await runTests(tests, {
    ...environment,
    LONG_TESTS: 'long',
    LONG_TESTS_REPORT: report,
  })
  const seconds = (performance.now() - started) / 1000
  const figures = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : []
  results.push({ name, passed, seconds, figures })
}
rmSync(directory, { recursive: true, force: true })

console.log('\nResults')
for (const { name, passed, seconds, figures } of results) {
  console.log(`  ${passed ? '✓ passed' : '✗ FAILED'} ${name.padEnd(44)} ${seconds.toFixed(0)} s`)
  for (const figure of figures) console.log(`             ${figure}`)
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1

/** Runs the tests of the given files. Resolves to true if all of them passed. */
function runTests(files, environment) {
  const bin = join(root, 'node_modules', '.bin')
  const command = ['run', '--project', 'server', '--reporter', 'dot', ...files]
  return new Promise((ended) => {
    const child = spawn(join(bin, 'vitest'), command, {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...environment,
        PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      },
    })
    child.once('exit', (status) => ended(status === 0))
  })
}
