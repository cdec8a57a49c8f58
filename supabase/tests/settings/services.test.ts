import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  addBay,
  admin,
  refusalTo,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let rack: string
beforeAll(async () => {
  shop = await createTestDatabase()
  rack = await addBay(shop, 'Rack')
})
afterAll(() => shop.drop())

const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))

type Service = { id: string; version: number; position: number | null }
async function serviceNamed(name: string): Promise<Service> {
  const [service] = await asAdmin<Service>('select * from public.services where name = $1', [name])
  if (!service) throw new Error(`There is no ${name}.`)
  return service
}

/** The arguments of save_service except the name; without `id`, save_service creates a new service. */
type ServiceInput = {
  id?: string
  version?: number
  minutes?: number
  isActive?: boolean
  bays?: string[] | null
}
const saveSql = `select public.save_service($1, $2, ' As told. ', $3, 8900, $4, $5, $6) as id`
const parametersOf = (
  name: string,
  { id, version, minutes = 30, isActive = true, bays = null }: ServiceInput,
) => [id ?? null, name, minutes, isActive, bays, version ?? null]
const save = (name: string, input: ServiceInput) =>
  asAdmin<{ id: string }>(saveSql, parametersOf(name, input))
const refusalOf = (name: string, input: ServiceInput, role = admin) =>
  refusalTo(shop.database, role, (query) => query.unchecked(saveSql, parametersOf(name, input)))

/** Returns the names of the bays that can do a service. */
async function baysFor(name: string): Promise<string[]> {
  const { rows } = await shop.owner.query<{ name: string }>(
    `select name from public.bays
     where internal.bay_can_do_service(id, (select id from public.services where name = $1)) order by name`,
    [name],
  )
  return rows.map((row) => row.name)
}

describe('a service', () => {
  it('is added at the end of the list with a trimmed name, for all bays, and recorded in the history', async () => {
    await save('  Coolant Flush ', {})
    const added = await asAdmin(
      `select description, duration_minutes, price_from_cents, position from public.services
       where name = 'Coolant Flush'`,
    )
    expect(added).toEqual([
      { description: 'As told.', duration_minutes: 30, price_from_cents: 8900, position: null },
    ])
    expect(await baysFor('Coolant Flush')).toEqual(['Bay 1', 'Rack'])
    const lines = await asAdmin(
      'select subject, action, changed_by_name from public.settings_history order by id desc limit 1',
    )
    expect(lines).toEqual([{ subject: 'Coolant Flush', action: 'added', changed_by_name: 'ana' }])
  })

  it('is added after the last service when staff have set the order of the services', async () => {
    await shop.owner.query(
      `update public.services set position = rank
       from (select id as known, row_number() over (order by name) as rank from public.services) ranks
       where id = known`,
    )
    await save('Wiper Blades', {})
    const { rows } = await shop.owner.query<{ last: boolean }>(
      `select position = (select count(*) from public.services) as last
       from public.services where name = 'Wiper Blades'`,
    )
    expect(rows).toEqual([{ last: true }])
    await shop.owner.query('update public.services set position = null')
  })

  it('can be saved only with its latest version; a save with another version is refused with the reason', async () => {
    const { id, version } = await serviceNamed('Brake Job')
    await save('Brake Service', { id, version, minutes: 75 })
    expect(await refusalOf('Brake Job', { id, version })).toMatchObject({
      code: 'TT051',
      hint: 'version_conflict',
    })
    expect(await serviceNamed('Brake Service')).toMatchObject({ version: version + 1 })
  })

  it.each([
    ['', {}, '23514', 'services_name_is_text'],
    ['Line\nbreak', {}, '23514', 'services_name_is_text'],
    ['Endless', { minutes: 1_000_000 }, '23514', 'services_duration_minutes_in_range'],
    ['Oil Change', {}, '23505', 'services_name_key'],
  ])(
    'with the name %j is refused with the name of the constraint',
    async (name, input, code, rule) => {
      const refusal = await refusalOf(name, input)
      expect(refusal).toMatchObject({ code })
      expect(refusal.message).toContain(`"${rule}"`)
    },
  )

  it('can be saved by the admin only', async () => {
    for (const role of [visitor, signedInStranger]) {
      expect((await refusalOf('Mine', {}, role)).code).toBe('42501')
    }
  })

  it('cannot be deactivated when it is the last active one', async () => {
    const { id } = await serviceNamed('Oil Change')
    await shop.owner.query('update public.services set is_active = (id = $1)', [id])
    const { version } = await serviceNamed('Oil Change')
    expect(await refusalOf('Oil Change', { id, version, isActive: false })).toMatchObject({
      code: 'TT053',
      hint: 'last_active_service',
    })
    await shop.owner.query('update public.services set is_active = true')
  })
})

describe('the bays of a service', () => {
  const assignBays = async (name: string, bays: string[] | null) => {
    const { id, version } = await serviceNamed(name)
    await save(name, { id, version, bays })
  }
  const bayServices = async () =>
    (await shop.owner.query<{ count: string }>('select count(*) from public.bay_services')).rows[0]
      ?.count

  it('can be limited to some bays, without changing other services', async () => {
    await assignBays('Tune-Up', [rack])
    expect(await baysFor('Tune-Up')).toEqual(['Rack'])
    expect(await baysFor('Oil Change')).toEqual(['Bay 1', 'Rack'])
  })

  it('are all bays for a service that is added later, including bays that are limited to certain services', async () => {
    await save('Headlights', {})
    expect(await baysFor('Headlights')).toEqual(['Bay 1', 'Rack'])
  })

  it('remain the same when a save contains no list of bays', async () => {
    await assignBays('Tune-Up', null)
    expect(await baysFor('Tune-Up')).toEqual(['Rack'])
  })

  it('can be reset to all bays, and then no bay is limited to certain services', async () => {
    await assignBays('Tune-Up', [])
    expect(await baysFor('Tune-Up')).toEqual(['Bay 1', 'Rack'])
    expect(await bayServices()).toBe('0')
  })

  it('must be existing bays', async () => {
    const { id, version } = await serviceNamed('Tune-Up')
    const nowhere = '00000000-0000-4000-8000-000000000009'
    expect(await refusalOf('Tune-Up', { id, version, bays: [nowhere] })).toMatchObject({
      code: '22023',
      hint: 'bay_not_found',
    })
  })

  it('cannot be changed so that a bay is left without any service', async () => {
    const { id } = await serviceNamed('Tune-Up')
    await shop.owner.query('insert into public.bay_services (bay_id, service_id) values ($1, $2)', [
      rack,
      id,
    ])
    const { version } = await serviceNamed('Tune-Up')
    const [bay] = await asAdmin<{ id: string }>(`select id from public.bays where name = 'Bay 1'`)
    const refusal = await refusalOf('Tune-Up', { id, version, bays: [bay?.id ?? ''] })
    expect(refusal).toMatchObject({ code: 'TT056', hint: 'bay_without_service' })
    expect(refusal.message).toBe('Rack can do nothing else.')
  })
})
