import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import {
  longTestAdmin,
  readAll,
  signIn,
  type StaffClient,
} from '#tests/long/support/staff-client.ts'
import {
  readServices,
  sendRequest,
  type Service,
  upcomingSlots,
} from '#tests/long/support/visitor-client.ts'
import { reportFigure, testSize } from '#tests/long/test-size.ts'

const rounds = testSize('COMMAND_ROUNDS', { short: 2, long: 20 })
const commandsPerRound = 12

type Stored = { id: string; customer_email: string; emails: { kind: string }[] }

describe('a site that is killed while staff book by phone', () => {
  let directory: string
  let shop: ServerProcess | undefined
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'torque-command-'))
  })
  afterAll(async () => {
    await shop?.end()
    rmSync(directory, { recursive: true, force: true })
  })
  const start = () =>
    startServer({ DATA_DIR: directory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...longTestAdmin })

  it(
    `stores each booking and its confirmation email together or not at all, and both exactly once after staff repeat the request (${rounds} rounds)`,
    { timeout: 60_000 + rounds * 20_000 },
    async () => {
      shop = await start()
      const [service] = await readServices(shop)
      if (!service) throw new Error('The shop has no services.')
      const slots = upcomingSlots(service.duration_minutes)
      let survived = 0
      for (let round = 0; round < rounds; round += 1) {
        const commands = slots
          .splice(0, commandsPerRound)
          .map((slot) => ({ commandId: randomUUID(), input: phoneBooking(service, slot) }))
        const staff = await signIn(shop)
        const sent = commands.map((command) => send(shop, staff, command))
        // Each round waits a few milliseconds longer than the previous round before it kills the process, so that the
        // rounds interrupt the commands at different statements.
        await delay(5 + 9 * round)
        await shop.end('SIGKILL')
        const answers = await Promise.all(sent)
        shop = await start()
        const after = await stored(shop, commands)
        expect(after.filter(({ emails }) => emails.length !== 1)).toEqual([])
        expect(after.length).toBeGreaterThanOrEqual(answers.filter((ok) => ok).length)
        survived += after.length
        const again = await signIn(shop)
        for (const command of commands) expect(await send(shop, again, command)).toBe(true)
        const all = await stored(shop, commands)
        expect(all).toHaveLength(commands.length)
        expect(all.filter(({ emails }) => emails.length !== 1)).toEqual([])
      }
      reportFigure(
        `${rounds} kills, ${rounds * commandsPerRound} commands, ${survived} committed before a kill, each repeated once without a second effect`,
      )
    },
  )
})

const phoneBooking = (service: Service, { date, time }: { date: string; time: string }) => ({
  bookingId: randomUUID(),
  serviceId: service.id,
  date,
  time: time.slice(0, 5),
  bayId: null,
  withoutBay: false,
  reason: null,
  customerName: 'Sam Okafor',
  customerPhone: '(650) 555-0155',
  customerEmail: `${randomUUID()}@customer.example`,
  notes: null,
  vehicleYear: null,
  vehicleMake: null,
  vehicleModel: null,
  vehicleColor: null,
  vehiclePlate: null,
})
type Command = { readonly commandId: string; readonly input: ReturnType<typeof phoneBooking> }

/** Sends a command to the site. Returns whether the server responded with a success; false without a response. */
async function send(
  site: ServerProcess | undefined,
  { cookie }: StaffClient,
  command: Command,
): Promise<boolean> {
  if (!site) return false
  const { path } = bookingCommands.bookByPhone
  return sendRequest(site, 'POST', path, command, { cookie }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Returns the stored bookings that the given commands created, with their emails. */
async function stored(site: ServerProcess, commands: readonly Command[]): Promise<Stored[]> {
  const path = 'bookings?select=id,customer_email,emails(kind)&order=id'
  const rows = await readAll<Stored>(site, await signIn(site), path)
  const ids = new Set<string>(commands.map(({ input }) => input.bookingId))
  return rows.filter(({ id }) => ids.has(id))
}
