import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, get } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import type { Attack } from '#tests/long/support/pipelining-attacker.ts'
import { isLong, testSize, reportFigure } from '#tests/long/test-size.ts'

const seconds = testSize('SECONDS', { short: 1, long: 10 })
const mostGrownMb = 50
const mostP99Ms = 100
/**
 * The allowed number of open files: 256 files of the website, and the files that a process without visitors has open
 * (modules, log, database).
 */
const mostFiles = 256 + 50

/** The process that receives the requests of attackers and of a visitor. */
type Target = { readonly port: number; readonly pid: number }
type Way = Pick<Attack, 'connections' | 'way'>

const attacks: readonly Way[] = [
  { connections: 10, way: 'never reads' },
  { connections: 40, way: 'never reads' },
  { connections: 20, way: 'reads' },
  { connections: 64, way: 'waits for answers' },
  { connections: 1_000, way: 'waits for answers' },
]
const ordinary: Way = { connections: 4, way: 'waits for answers' }

let database: TestDatabase
let folder: string
let shop: ServerProcess
/** The path of a JavaScript file of the site, which the attackers request. */
let script: string
let attackers = 0
let visitors = 0

/**
 * The number of requests that one visitor sends before a visitor with another IP address continues. The rate limit
 * allows more requests a minute from one IP address.
 */
const requestsPerVisitor = 1_000

// Only Linux has a loopback address for each attacker, and only Linux can bind a process to one core.
describe.skipIf(process.platform !== 'linux')('pipelined requests of an attacker', () => {
  beforeAll(start, 120_000)
  afterAll(async () => {
    await shop?.end()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
    bindToCores(`0-${lastCore}`)
  })

  it.each(attacks)(
    'do not slow down other visitors or increase the memory of the process: $connections connections, a client that $way',
    { timeout: 120_000 },
    expectFastForVisitors,
  )
})

const lastCore = availableParallelism() - 1

/** Binds the site and the visitor (this process) to the first core; attackers use the last core. */
async function start(): Promise<void> {
  bindToCores('0')
  folder = mkdtempSync(join(tmpdir(), 'torque-pipelined-'))
  database = await createTestDatabase()
  shop = await startServer({ DATABASE_URL: database.ownerUrl, LOG_LEVEL: 'error' })
  const page = await (await fetch(shop.url)).text()
  script = /\/assets\/[\w-]+\.js/.exec(page)?.[0] ?? expect.fail('The site is not built.')
  writeFileSync(join(folder, 'script.js'), await (await fetch(shop.url + script)).bytes())
  // Ordinary requests also increase the memory of a new server process, so the test sends them before the measurement.
  await runAttack(shopTarget(), ordinary)
}

const shopTarget = (): Target => ({ port: Number(new URL(shop.url).port), pid: shop.pid })

function bindToCores(cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)])
}

async function expectFastForVisitors(attack: Way): Promise<void> {
  const site = await runAttack(shopTarget(), attack)
  const bare = await runAttackOnBareServer(attack)
  reportFigure(
    `${attack.connections} connections, a client that ${attack.way}: ${describeRun(site)}; ` +
      `a bare node:http file server: ${describeRun(bare)}`,
  )
  expect(site.failures).toEqual([])
  expect(site.grownMb).toBeLessThan(mostGrownMb)
  expect(site.mostFiles).toBeLessThan(mostFiles)
  // The test checks the duration only in `npm run test:long`. In `npm test`, other tests run at the same time and slow
  // down the requests.
  if (isLong) expect(site.p99Ms).toBeLessThan(mostP99Ms)
}

type Run = {
  readonly failures: readonly string[]
  readonly p99Ms: number
  readonly slowestMs: number
  readonly grownMb: number
  /** The highest measured number of open files at one moment, not counting sockets. */
  readonly mostFiles: number
}

function describeRun({ failures, p99Ms, slowestMs, grownMb, mostFiles: files }: Run): string {
  const waits = `p99 ${p99Ms.toFixed(0)} ms, slowest ${slowestMs.toFixed(0)} ms`
  return `another visitor's ${waits}, ${failures.length} without a response, ${grownMb.toFixed(0)} MB more, ${files} files`
}

async function runAttackOnBareServer(attack: Way): Promise<Run> {
  const port = await freePort()
  const server = spawn(process.execPath, ['tests/long/support/bare-file-server.ts'], {
    env: { ...minimalEnvironment, FILE: join(folder, 'script.js'), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(server.stdout, 'data')
  const target = { port, pid: server.pid ?? 0 }
  await runAttack(target, ordinary)
  const run = await runAttack(target, attack)
  await end(server)
  return run
}

/** Runs one attacker, and one visitor from another IP address. */
async function runAttack(target: Target, way: Way): Promise<Run> {
  attackers += 1
  const address = `127.0.1.${attackers}`
  const attack: Attack = { ...way, port: target.port, path: script, address }
  const attacker = spawn(
    'taskset',
    ['--cpu-list', String(lastCore), process.execPath, 'tests/long/support/pipelining-attacker.ts'],
    {
      env: { ...minimalEnvironment, ATTACK: JSON.stringify(attack) },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  await once(attacker.stdout, 'data')
  const run = await measureVisitor(target)
  await end(attacker)
  return run
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function measureVisitor({ port, pid }: Target): Promise<Run> {
  let agent = new Agent()
  const until = performance.now() + seconds * 1_000
  const before = readMegabytes(pid)
  const waits: number[] = []
  const failures: string[] = []
  let [peakMb, files] = [before, 0]
  for (let turn = 0; performance.now() < until || turn < 4; turn += 1) {
    if (turn % requestsPerVisitor === 0) {
      agent.destroy()
      agent = openVisitor()
    }
    const startedAt = performance.now()
    const path = turn % 2 === 0 ? '/' : script
    await requestPage(port, path, agent).catch(({ message }: Error) => failures.push(message))
    waits.push(performance.now() - startedAt)
    peakMb = Math.max(peakMb, readMegabytes(pid))
    files = Math.max(files, countFiles(pid))
  }
  agent.destroy()
  waits.sort((a, b) => a - b)
  const p99Ms = waits[Math.floor(waits.length * 0.99)] ?? 0
  const slowestMs = waits.at(-1) ?? 0
  return { failures, p99Ms, slowestMs, grownMb: peakMb - before, mostFiles: files }
}

function openVisitor(): Agent {
  visitors += 1
  return new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.2.${visitors}` })
}

function requestPage(port: number, path: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path, agent, timeout: 5_000 }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      response.on('end', resolve).on('error', reject).resume()
    })
    request.on('timeout', () => request.destroy(new Error('no answer in 5 s'))).on('error', reject)
  })
}

/** Returns the memory of a process in MB; 0 for a process that has ended. */
function readMegabytes(pid: number): number {
  const status = orElse('', () => readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}

function countFiles(pid: number): number {
  const descriptors = orElse([], () => readdirSync(`/proc/${pid}/fd`))
  const targets = descriptors.map((one) => orElse('', () => readlinkSync(`/proc/${pid}/fd/${one}`)))
  return targets.filter((target) => target.startsWith('/')).length
}

/** Returns the result of `read`; `otherwise` if the process ended or closed the descriptor in the meantime. */
function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
