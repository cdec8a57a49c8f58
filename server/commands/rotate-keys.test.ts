import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'

/** The timeout is long, because each run of the command starts a separate process, which takes seconds. */
vi.setConfig({ testTimeout: 120_000 })

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
  await shop.database.owner.query(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     select id, (current_date + 30), '13:30', duration_minutes, 'Dana Whitfield', 'dana@example.com', '555-0167',
       '2019', 'Subaru', 'Outback' from public.services order by name limit 1`,
  )
})
afterAll(() => shop.close())

/** Runs `npm run rotate-keys -- …` while the site is running, without a terminal. */
function rotate(...args: string[]): Promise<{ status: number; output: string }> {
  const { dataDirectory } = shop.config
  const env = {
    ...minimalEnvironment,
    DATABASE_URL: shop.database.ownerUrl,
    DATA_DIR: dataDirectory,
  }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['server/commands/rotate-keys.ts', ...args],
      { cwd: join(import.meta.dirname, '../..'), env },
      (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
    child.stdin?.end()
  })
}

async function pathNow(): Promise<string> {
  const { rows } = await shop.database.owner.query<{ path: string }>(
    `select '/visit/' || public.visit_page_token(id) as path from public.bookings`,
  )
  return rows[0]?.path ?? ''
}
const statusOf = async (url: string) => (await shop.inject({ url })).statusCode

it('npm run rotate-keys prints its usage when no key is named', async () => {
  for (const args of [[], ['--yes'], ['--all']]) {
    const { status, output } = await rotate(...args)
    expect([status, output]).toEqual([1, expect.stringContaining('npm run rotate-keys -- --links')])
  }
})

it('npm run rotate-keys prints how many links will stop working, and invalidates these links after a confirmation', async () => {
  const former = await pathNow()
  expect(await statusOf(former)).toBe(200)
  const unconfirmed = await rotate('--links')
  expect([unconfirmed.status, unconfirmed.output]).toEqual([
    1,
    expect.stringMatching(/1 appointment links \(1 upcoming\) and 0 estimate links[^]*add --yes/),
  ])
  expect(await statusOf(former)).toBe(200)

  const done = await rotate('--links', '--yes')
  expect([done.status, done.output]).toEqual([0, expect.stringContaining('are invalid now')])
  expect(await statusOf(former)).toBe(404)
  const next = await pathNow()
  expect(next).not.toBe(former)
  expect(await statusOf(next)).toBe(200)
  const { rows } = await shop.database.owner.query<{ value: string }>(
    `select value from internal.secrets where name = 'visit_key'`,
  )
  const file = join(shop.config.dataDirectory, 'keys', 'visit_key')
  expect(readFileSync(file, 'utf8').trim()).toBe(rows[0]?.value)
})
