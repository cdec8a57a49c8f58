import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { testSize, reportFigure } from './test-size.ts'
import {
  sendRequest,
  isFree,
  readServices,
  type Service,
  type Slot,
  upcomingSlots,
} from '#tests/long/support/visitor-client.ts'

const seconds = testSize('SECONDS', { short: 1, long: 10 })
const attackers = 4
/**
 * The allowed growth, in MB, of the server process's memory during all attacks together. The same limit applies to the
 * memory of the server's PostgreSQL connections.
 */
const maxGrowthMb = 50

type Attack = {
  readonly name: string
  /** The nth request: its path under /rest/v1, and its body if it has one. */
  readonly request: (n: number) => readonly [path: string, body?: object]
  readonly statuses: readonly number[]
}
type Figures = {
  readonly megabytes: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
}

const list = (length: number, item: (n: number) => string) =>
  Array.from({ length }, (_, n) => item(n)).join(',')

/**
 * Returns the path of a request for `depth` levels of related rows (embeds), which alternate between two tables. The
 * rows of each level are sorted by `terms` columns of the next level.
 */
function nestedOrders(depth: number, terms: number): string {
  const names = Array.from({ length: depth }, (_, n) =>
    n % 2 === 0 ? 'quote_email_logs' : 'emails',
  )
  const select = names.reduceRight((inside, name) => `${name}(id${inside && `,${inside}`})`, '')
  const orders = names.map((name, level) => {
    const path = names.slice(0, level).map((one) => `${one}.`)
    return `&${path.join('')}order=${list(terms, () => `${name}(id)`)}`
  })
  return `/emails?select=id,${select}${orders.join('')}`
}

const ordinary: Attack = {
  name: 'ordinary requests, for comparison',
  request: () => ['/services?select=*&is_active=eq.true&order=name'],
  statuses: [200],
}

const attacks: readonly Attack[] = [
  ordinary,
  {
    name: 'embeds nested 9 deep, each sorted by 2 columns',
    request: () => [nestedOrders(9, 2)],
    statuses: [400],
  },
  {
    name: 'embeds nested 10 deep, each sorted by 5 columns',
    request: () => [nestedOrders(10, 5)],
    statuses: [400],
  },
  {
    name: 'one embed of a table that the visitor may not read',
    request: () => [nestedOrders(1, 5)],
    statuses: [401],
  },
  {
    name: '28 embeds and 200 sort terms',
    request: () => [
      `/emails?select=id,${list(28, (n) => `e${n}:quote_email_logs(id)`)}&order=${list(200, (n) => `e${n % 28}(id)`)}`,
    ],
    statuses: [400],
  },
  {
    name: '230 different lists of columns, each of 15 kB',
    request: (n) => [
      `/services?select=${list(700, (column) => `a${n % 230}_${column}:description`)}`,
    ],
    statuses: [400],
  },
  {
    name: '1,640 sort terms that extract a JSON field',
    request: () => [`/services?select=id&order=${list(1_640, (n) => `id->${n % 10}`)}`],
    statuses: [400],
  },
  {
    name: 'a parameter name of 7,000 quotes and backslashes',
    request: () => [`/services?${String.raw`"\ `.trim().repeat(3_500)}=eq.1`],
    statuses: [400],
  },
  {
    name: 'a body of a thousand nested brackets',
    request: () => [
      '/rpc/is_time_slot_available',
      { booking_date: Array.from({ length: 1_000 }).reduce<unknown>((inside) => [inside], 1) },
    ],
    statuses: [400],
  },
  // The largest requests that the server allows. Each request has column aliases of its own, so that its
  // SQL is new, and the attackers send requests until their IP addresses have used up the rate limit.
  {
    name: 'the maximum number of columns',
    request: (n) => [`/services?select=${list(80, (column) => `a${n}_${column}:description`)}`],
    statuses: [200],
  },
  {
    name: 'the maximum number of sort terms',
    request: (n) => [`/services?select=a${n}:id&order=${list(32, (step) => `name->${step}`)}`],
    statuses: [200],
  },
  {
    name: 'the maximum number of conditions',
    request: (n) => [
      `/services?select=a${n}:id&or=(${list(48, () => `description.ilike.*${'a*'.repeat(40)}`)})`,
    ],
    statuses: [200],
  },
  {
    name: 'a list of the maximum length',
    request: (n) => [
      `/services?select=a${n}:id&name=in.(${list(3_000, (item) => `${item % 10}`)})`,
    ],
    statuses: [200],
  },
]

let database: TestDatabase
let shop: ServerProcess
let measureUrl: string
let services: Service[]
let slots: Slot[]
let before: { process: number; database: number }

beforeAll(async () => {
  database = await createTestDatabase()
  const port = String(await freePort())
  measureUrl = `http://127.0.0.1:${port}`
  const settings = { TRUST_PROXY: 'loopback', LOG_LEVEL: 'error', MEASURE_PORT: port }
  shop = await startServer(
    { DATABASE_URL: database.ownerUrl, ...settings },
    'tests/long/support/measured-server.ts',
  )
  services = await readServices({ url: shop.url })
  slots = upcomingSlots(30)
  // Makes the server open and use all its database connections before the first measurement.
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(slots.slice(0, 60).map((slot) => requestSlot(slot)))
  }
  // Ordinary requests also increase the memory of a new server process, so the test sends them before the measurement.
  await runAttack(ordinary)
  before = { process: (await measure()).megabytes, database: await backendsMb() }
}, 120_000)
afterAll(async () => {
  await shop?.end()
  await database.drop()
})

/** Sends an ordinary visitor's request; returns its duration in milliseconds. */
async function requestSlot(slot: Slot): Promise<number> {
  const [service] = services
  if (!service) throw new Error('Nothing to book.')
  const start = performance.now()
  await isFree({ url: shop.url, address: '203.0.113.7' }, service, slot)
  return performance.now() - start
}

async function measure(): Promise<Figures> {
  return (await (await fetch(measureUrl)).json()) as Figures
}

/**
 * Reads the private memory of the shop's PostgreSQL connections in MB. Only Linux reports private memory separately
 * from shared memory.
 */
async function backendsMb(): Promise<number> {
  if (process.platform !== 'linux') return 0
  const { rows } = await database.owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'torque-and-timing'`,
  )
  const kilobytes = rows.map(({ pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0)
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}

/** Runs attackers from several IP addresses and, at the same time, one ordinary visitor. */
async function runAttack({ name, request }: Attack) {
  const statuses = new Set<number>()
  // Each attack comes from an IP network of its own, whose rate limit is not used up yet.
  const network = attacks.findIndex((attack) => attack.name === name)
  const end = performance.now() + seconds * 1_000
  let sent = 0
  const attack = async (attacker: number) => {
    do {
      const [path, body] = request(sent++)
      const visitor = { url: shop.url, address: `198.51.${network}.${attacker}` }
      const response = await sendRequest(visitor, body ? 'POST' : 'GET', `/rest/v1${path}`, body)
      await response.arrayBuffer()
      statuses.add(response.status)
    } while (performance.now() < end)
  }
  const waits: number[] = []
  const visitor = async () => {
    do waits.push(await requestSlot(slots[waits.length % slots.length] as Slot))
    while (performance.now() < end)
  }
  await measure()
  await Promise.all([visitor(), ...Array.from({ length: attackers }, (_, n) => attack(n))])
  waits.sort((a, b) => a - b)
  return { statuses: [...statuses], sent, p99Ms: waits[Math.floor(waits.length * 0.99)] ?? 0 }
}

describe('small requests that are expensive to process', () => {
  it.each(attacks)(
    'get the expected HTTP status and use little memory: $name',
    { timeout: 120_000 },
    async (attack) => {
      const { statuses, sent, p99Ms } = await runAttack(attack)
      const { megabytes, delayP99Ms, delayMaxMs } = await measure()
      const grown = {
        process: megabytes - before.process,
        database: (await backendsMb()) - before.database,
      }
      reportFigure(
        `${attack.name}: ${sent} sent; another visitor's p99 ${p99Ms.toFixed(0)} ms; event loop blocked ` +
          `${delayP99Ms.toFixed(0)} ms p99, ${delayMaxMs.toFixed(0)} at most; beyond ordinary load ${grown.process.toFixed(0)} MB more in the process, ${grown.database.toFixed(0)} in the database`,
      )
      // The server answers 429 to an attacker that continues, whatever the attacker requests.
      expect([...attack.statuses, 429]).toEqual(expect.arrayContaining(statuses))
      expect(statuses).toContain(attack.statuses[0])
      expect(grown.process).toBeLessThan(maxGrowthMb)
      expect(grown.database).toBeLessThan(maxGrowthMb)
    },
  )

  it('cause no error in the log of the shop, which still serves visitors', async () => {
    expect(await readServices({ url: shop.url })).toEqual(services)
    expect(shop.output()).not.toMatch(/"level":"error"/)
  })
})
