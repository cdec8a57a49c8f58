import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

const root = join(import.meta.dirname, '../..')

/**
 * The database procedures that change data and that the dashboard calls directly. Each procedure is a complete action,
 * so no server command has to commit further changes together with the procedure's changes. An action that also sends
 * an email or makes a second call is a server command instead (docs/decisions/0032).
 */
const wholeActions = [
  'accept_schedule_conflicts',
  'accept_unconfirmed_email',
  'add_customer_note',
  'add_task_note',
  'ask_deposit',
  'change_booking_state',
  'change_estimate_email',
  'change_vehicle_owner',
  'clean_up_tasks',
  'complete_own_task',
  'create_estimate',
  'create_estimate_tasks',
  'delete_canned_job',
  'delete_customer_note',
  'delete_estimate',
  'dismiss_notification',
  'mark_not_duplicates',
  'mark_task_ready_for_pickup',
  'merge_customers',
  'note_declined_after_tear_down',
  'order_bays',
  'order_services',
  'read_estimate_link',
  'read_visit_page_link',
  'record_estimate_odometer',
  'record_odometer',
  'record_technician_step',
  'remove_odometer_reading',
  'remove_special_hours',
  'rename_canned_job',
  'save_bay',
  'save_booking_note',
  'save_canned_job',
  'save_customer',
  'save_estimate',
  'save_opening_hours',
  'save_service',
  'save_special_hours',
  'save_vehicle',
  'set_customer_reminders',
  'set_task_customer_note',
  'split_booking',
  'split_vehicle',
  'unmerge',
  'update_task_status',
  'use_todays_tax_rate',
]

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

const sources = globSync('web/dashboard/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

const namesIn = (pattern: RegExp) => [...sources.matchAll(pattern)].map(([, name]) => name)

describe('the dashboard', () => {
  it('reads through the REST API, and writes through the REST API only with procedures that need no further action, such as an email', async () => {
    const called = namesIn(/\.rpc\(\s*'(\w+)'/g)
    const { rows } = await shop.owner.query<{ name: string }>(
      `select distinct proname as name from pg_proc
       where pronamespace = 'public'::regnamespace and provolatile = 'v' and proname = any ($1) order by proname`,
      [called],
    )
    expect(rows.map(({ name }) => name)).toEqual(wholeActions)
    // In the source code, each call names its procedure as a literal, so that this test finds every call.
    expect(namesIn(/\.rpc\((?!\s*'\w+')(.{0,40})/g)).toEqual([])
  })

  it('calls no server function, because each action that sends an email is a command', () => {
    expect(namesIn(/(callFunction|functions\s*\.invoke|\/functions\/)/g)).toEqual([])
  })
})
