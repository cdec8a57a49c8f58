import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  admin,
  refusalTo,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
let taskId: string
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.tasks'))
  const [task] = await asAdmin<{ id: string }>(
    `insert into public.tasks (title) values ('Brake Job - Outback') returning id`,
  )
  taskId = task?.id ?? ''
})

const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))

const setStatus = (status: string, note: string | null = null) =>
  asAdmin<{ status: string; completed_at: string | null; ready_for_pickup_at: string | null }>(
    `select * from public.update_task_status(
       task_id => $1, new_status => $2, note => $3, changed_by => 'ana', changed_by_name => 'Mallory')`,
    [taskId, status, note],
  )
const history = async () =>
  (
    await shop.owner.query(
      `select old_status, new_status, note, changed_by_name from public.task_status_history
       where task_id = $1 order by created_at`,
      [taskId],
    )
  ).rows
const notes = async () =>
  (
    await shop.owner.query(
      'select note, created_by_name from public.task_notes where task_id = $1 order by created_at',
      [taskId],
    )
  ).rows

describe('the admin', () => {
  it('can create a task, which is pending and of medium priority', async () => {
    const { rows } = await shop.owner.query(
      'select status, priority, completed_at from public.tasks',
    )
    expect(rows).toEqual([{ status: 'pending', priority: 'medium', completed_at: null }])
  })

  it('can set a status, and the history records the old status, the new status, the reason and the author', async () => {
    await setStatus('in_progress', ' parts arrived ')
    await setStatus('completed')
    expect(await history()).toEqual([
      {
        old_status: 'pending',
        new_status: 'in_progress',
        note: 'parts arrived',
        changed_by_name: 'ana',
      },
      { old_status: 'in_progress', new_status: 'completed', note: null, changed_by_name: 'ana' },
    ])
  })

  it('is recorded in the history under the name in the access token, not under a name in the arguments of the call', async () => {
    await asAdmin(
      `select public.add_task_note(task_id => $1, note => 'Called the customer',
         changed_by => 'x', changed_by_name => 'Mallory')`,
      [taskId],
    )
    expect(await notes()).toEqual([{ note: 'Called the customer', created_by_name: 'ana' }])
  })

  it('can change the status of a task from any status to any other', async () => {
    const all = [
      'waiting_on_parts',
      'cancelled',
      'on_hold',
      'completed',
      'waiting_on_customer',
      'pending',
    ]
    for (const status of all) expect((await setStatus(status))[0]?.status).toBe(status)
    expect(await history()).toHaveLength(all.length)
  })

  it('adds only a note when the status stays the same, and nothing when the note is empty too', async () => {
    await setStatus('pending', 'Waiting for the key')
    await setStatus('pending')
    await setStatus('pending', '   ')
    expect(await history()).toEqual([])
    expect(await notes()).toEqual([{ note: 'Waiting for the key', created_by_name: 'ana' }])
  })

  it('can complete a task and mark it ready for pickup once; reopening the task undoes both', async () => {
    expect((await setStatus('completed'))[0]?.completed_at).not.toBeNull()
    const ready = () =>
      asAdmin<{ ready_for_pickup_at: string | null }>(
        `select * from public.mark_task_ready_for_pickup(task_id => $1, note => 'Key at the desk')`,
        [taskId],
      )
    const [first] = await ready()
    const [second] = await ready()
    expect(first?.ready_for_pickup_at).not.toBeNull()
    expect(second?.ready_for_pickup_at).toBe(first?.ready_for_pickup_at)
    const [reopened] = await setStatus('in_progress')
    expect(reopened).toMatchObject({ completed_at: null, ready_for_pickup_at: null })
  })

  it('cannot mark a task ready for pickup that is not completed', async () => {
    const refusal = await refusalTo(shop.database, admin, (query) =>
      query.unchecked('select public.mark_task_ready_for_pickup(task_id => $1)', [taskId]),
    )
    expect(refusal).toMatchObject({ code: 'TT032', hint: 'not_completed' })
  })

  it('cannot set an unknown status, and the refused request leaves no history', async () => {
    const { code } = await refusalTo(shop.database, admin, (query) =>
      query.unchecked(`select public.update_task_status(task_id => $1, new_status => 'sold')`, [
        taskId,
      ]),
    )
    expect(code).toBe('23514')
    expect(await history()).toEqual([])
  })

  it.each(['', '   ', 'x'.repeat(2001)])(
    'cannot add a blank or too long note (case %#)',
    async (note) => {
      const { code } = await refusalTo(shop.database, admin, (query) =>
        query.unchecked('select public.add_task_note(task_id => $1, note => $2)', [taskId, note]),
      )
      expect(code).toBe('23514')
    },
  )

  it('gets a version conflict when the status on the page was outdated, unless the task already has the requested status', async () => {
    const change = (status: string, seen: string) =>
      `select public.update_task_status(task_id => $1, new_status => '${status}', note => 'n',
         seen_status => '${seen}')`
    await setStatus('completed')
    await expect(
      shop.database.transaction(admin, (query) =>
        query.unchecked(change('in_progress', 'pending'), [taskId]),
      ),
    ).rejects.toMatchObject({ code: 'TT051', hint: 'version_conflict', detail: 'completed' })
    expect(await history()).toHaveLength(1)
    await asAdmin(change('completed', 'pending'), [taskId])
    expect(await history()).toHaveLength(1)
    await asAdmin(change('in_progress', 'completed'), [taskId])
    expect(await history()).toHaveLength(2)
  })

  it('gets an error when changing a deleted task', async () => {
    await asAdmin('delete from public.tasks where id = $1', [taskId])
    for (const call of [
      `public.update_task_status(task_id => $1, new_status => 'completed')`,
      `public.add_task_note(task_id => $1, note => 'x')`,
      'public.mark_task_ready_for_pickup(task_id => $1)',
    ]) {
      const refusal = await refusalTo(shop.database, admin, (query) =>
        query.unchecked(`select ${call}`, [taskId]),
      )
      expect({ call, ...refusal }).toMatchObject({ call, code: 'TT031', hint: 'task_not_found' })
    }
  })

  it('deletes the history and the notes of a task together with the task', async () => {
    await setStatus('in_progress', 'started')
    await asAdmin('delete from public.tasks where id = $1', [taskId])
    expect(await history()).toEqual([])
  })

  it('can change a status only by the procedure, not by UPDATE', async () => {
    for (const sql of [
      `update public.tasks set status = 'completed'`,
      `insert into public.tasks (title, status) values ('x', 'in_progress')`,
      `insert into public.task_status_history (task_id, old_status, new_status, changed_by_name)
         values ('${taskId}', 'a', 'b', 'c')`,
      'delete from public.task_status_history',
      `update public.task_notes set note = 'x'`,
    ]) {
      const { code } = await refusalTo(shop.database, admin, (query) => query.unchecked(sql))
      expect({ sql, code }).toEqual({ sql, code: '42501' })
    }
  })
})

describe('a role other than the admin', () => {
  const calls = [
    `public.update_task_status(task_id => $1, new_status => 'completed')`,
    `public.add_task_note(task_id => $1, note => 'x')`,
    'public.mark_task_ready_for_pickup(task_id => $1)',
  ]

  it.each([
    ['a visitor', visitor],
    ['a signed-in user', signedInStranger],
  ])('cannot call the procedures of tasks: %s', async (_, identity) => {
    for (const call of calls) {
      const { code } = await refusalTo(shop.database, identity, (query) =>
        query.unchecked(`select ${call}`, [taskId]),
      )
      expect({ call, code }).toEqual({ call, code: '42501' })
    }
    const { rows } = await shop.owner.query('select status from public.tasks')
    expect(rows).toEqual([{ status: 'pending' }])
  })

  it('cannot read tasks, notes, history or employees', async () => {
    await setStatus('in_progress', 'started')
    for (const table of ['tasks', 'task_notes', 'task_status_history', 'employees']) {
      const sql = `select * from public.${table}`
      expect((await refusalTo(shop.database, visitor, (query) => query.unchecked(sql))).code).toBe(
        '42501',
      )
      expect(
        await shop.database.transaction(signedInStranger, (query) => query.unchecked(sql)),
      ).toEqual([])
    }
  })

  it('cannot create or delete a task', async () => {
    for (const sql of [
      `insert into public.tasks (title) values ('x')`,
      'delete from public.tasks',
    ]) {
      const { code } = await refusalTo(shop.database, signedInStranger, (query) =>
        query.unchecked(sql),
      )
      expect(code).toBe('42501')
    }
    const { rows } = await shop.owner.query('select count(*)::int as count from public.tasks')
    expect(rows).toEqual([{ count: 1 }])
  })
})
