import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { readEstimate, writeEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { estimateJob } from '#tests/support/estimates/estimates.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  admin,
  formBot,
  refusalTo,
  fixtureClock,
  signedInStranger,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const asAdmin = (sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked(sql, values))
const history = async () =>
  (
    await shop.owner.query(
      `select section, subject, action, before, after, changed_by_name from public.settings_history order by id`,
    )
  ).rows
const version = async () =>
  (
    await shop.owner.query(
      `select version from public.settings_versions where section = 'estimates'`,
    )
  ).rows[0]?.version

describe('the estimate settings', () => {
  it('are recorded at each change with the author and the earlier value', async () => {
    const seen = await version()
    await asAdmin(`update public.estimate_rules set labor_rate_cents = 15000, epa_number = 'CAL1'`)
    await asAdmin(`insert into public.tax_rates values ('2026-11-21', 92500)`)
    await asAdmin(`delete from public.tax_rates where effective_from = '2026-11-21'`)
    expect(await history()).toMatchObject([
      {
        section: 'estimates',
        subject: '',
        before: { labor_rate_cents: 14_500, epa_number: '' },
        after: { labor_rate_cents: 15_000, epa_number: 'CAL1' },
        changed_by_name: 'ana',
      },
      { subject: '2026-11-21', action: 'added', after: { rate: 92_500 } },
      { subject: '2026-11-21', action: 'removed', before: { rate: 92_500 } },
    ])
    expect(await version()).toBe(seen + 3)
  })

  it('can be changed by the admin only', async () => {
    for (const identity of [formBot, signedInStranger]) {
      const changes = await Promise.allSettled([
        shop.database.transaction(identity, (query) =>
          query.unchecked('update public.estimate_rules set labor_rate_cents = 1 returning id'),
        ),
        shop.database.transaction(identity, (query) =>
          query.unchecked('delete from public.tax_rates returning rate'),
        ),
        shop.database.transaction(identity, (query) =>
          query.unchecked(`insert into public.tax_rates values ('2026-11-22', 0)`),
        ),
        shop.database.transaction(identity, (query) =>
          query.unchecked(`select public.rename_canned_job($1, 'Mine')`, [randomUUID()]),
        ),
      ])
      for (const change of changes) {
        const rows = change.status === 'fulfilled' ? change.value : []
        expect(rows).toEqual([])
      }
      expect(changes.at(-1)?.status).toBe('rejected')
    }
    const { rows } = await shop.owner.query('select count(*)::int as count from public.tax_rates')
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe('a tax rate with tomorrow as its first day', () => {
  it('applies to estimates that staff begin tomorrow; today’s estimates keep their rate', async () => {
    await asAdmin(`insert into public.tax_rates values ('2026-11-21', 92500)`)
    const today = await writeEstimate(shop.database)
    await setShopClock(shop.owner, '2026-11-21T18:00:00Z')
    const tomorrow = await writeEstimate(shop.database)
    expect((await readEstimate(shop.database, today)).taxRate).toBe(91_250)
    expect((await readEstimate(shop.database, tomorrow)).taxRate).toBe(92_500)
    await asAdmin(`delete from public.tax_rates where effective_from = '2026-11-21'`)
    expect((await readEstimate(shop.database, tomorrow)).taxRate).toBe(92_500)
  })
})

describe('a canned job', () => {
  const saveJob = async (title: string) => {
    const [row] = await asAdmin('select public.save_canned_job($1) as id', [
      JSON.stringify(estimateJob({ title })),
    ])
    return String(row?.['id'])
  }
  const rename = 'select public.rename_canned_job($1, $2)'

  it('can be renamed, which changes the title in the stored job and adds an entry to the settings history', async () => {
    const id = await saveJob('Front brakes')
    await asAdmin(rename, [id, '  Front brakes, ceramic '])
    const [row] = await asAdmin(`select public.find_canned_jobs('ceramic') as jobs`)
    expect(row?.['jobs']).toMatchObject([{ id, job: { title: 'Front brakes, ceramic' } }])
    expect((await history()).at(-1)).toMatchObject({
      subject: 'Front brakes, ceramic',
      before: { title: 'Front brakes' },
    })
  })

  it('can be deleted without changing the estimates that contain it, and the settings history records the deletion', async () => {
    const id = await saveJob('Cabin filter')
    await asAdmin('select public.delete_canned_job($1)', [id])
    const [row] = await asAdmin(`select public.find_canned_jobs('Cabin filter') as jobs`)
    expect(row?.['jobs']).toEqual([])
    expect((await history()).at(-1)).toMatchObject({ subject: 'Cabin filter', action: 'removed' })
    const refused = await refusalTo(shop.database, formBot, (query) =>
      query.unchecked('select public.delete_canned_job($1)', [id]),
    )
    expect(refused).toMatchObject({ code: '42501' })
  })

  it('cannot get the title of another canned job or an empty title, and cannot be renamed after its deletion', async () => {
    const [id] = [await saveJob('Coolant flush'), await saveJob('Oil change')]
    const refusal = (title: string, of = id) =>
      refusalTo(shop.database, admin, (query) => query.unchecked(rename, [of, title]))
    expect(await refusal('Oil change')).toMatchObject({ code: '23505' })
    expect(await refusal('  ')).toMatchObject({ code: '23514' })
    expect(await refusal('Else', randomUUID())).toMatchObject({ hint: 'canned_job_not_found' })
  })
})
