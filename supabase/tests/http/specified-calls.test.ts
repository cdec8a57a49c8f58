import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { addService, bookingRow, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

/*
 * These tests use supabase-js to send each call that docs/product.md 7.2 and 7.3 name. Every client can send these
 * calls, although the dashboard itself uses server commands for some of the actions.
 */

let shop: TestApp
let visitor: SupabaseClient
let admin: SupabaseClient
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  serviceId = await addService(shop.database, 'Brake check', 60)
  visitor = await shop.createClient()
  admin = await shop.createClient()
  const { username, password } = testAdmin
  const { error } = await admin.auth.signInWithPassword({ email: staffEmail(username), password })
  if (error) throw error
})
afterAll(() => shop.close())

type Answer = { readonly error: unknown; readonly data: unknown }
/** Returns the data of a call that must succeed. */
async function succeeded(call: PromiseLike<Answer>): Promise<unknown> {
  const { error, data } = await call
  expect(error).toBeNull()
  return data
}

describe('a visitor', () => {
  it('reads services, checks slots, and books', async () => {
    const services = visitor.from('services').select('*').eq('is_active', true).order('name')
    expect(await succeeded(services)).toContainEqual(
      expect.objectContaining({ id: serviceId, name: 'Brake check' }),
    )
    const slot = { service_duration: 60, booking_date: '2026-11-28', booking_time: '13:30:00' }
    expect(await succeeded(visitor.rpc('is_time_slot_available', slot))).toBe(true)
    await succeeded(visitor.from('bookings').insert([bookingRow(serviceId)]))
    expect(await succeeded(visitor.rpc('is_time_slot_available', slot))).toBe(false)
    const details = {
      serviceName: 'Brake check',
      date: 'Saturday, November 28, 2026',
      time: '1:30 PM',
      notes: null,
      phone: '(650) 555-0167',
      year: '2019',
      vehicleMake: 'Subaru',
      vehicleModel: 'Outback',
      vehicleColor: null,
    }
    const body = {
      type: 'booking',
      customerName: 'Dana Whitfield',
      customerEmail: 'dana@example.com',
      details,
    }
    const sent = visitor.functions.invoke('send-confirmation-email', { body })
    expect(await succeeded(sent)).toMatchObject({ success: true })
  })

  it('requests a quote', async () => {
    const quote = {
      name: 'Iris Kwan',
      email: 'iris@customer.example',
      phone: null,
      vehicle_year: '2015',
      vehicle_make: 'Honda',
      vehicle_model: 'Accord',
      service_type: 'transmission',
      description: 'It slips.',
      status: 'pending',
    }
    await succeeded(visitor.from('quote_requests').insert(quote))
    const body = {
      type: 'quote',
      customerName: 'Iris Kwan',
      customerEmail: 'iris@customer.example',
      details: {
        vehicle: '2015 Honda Accord',
        serviceType: 'Transmission Service',
        description: 'It slips.',
        phone: null,
      },
    }
    const sent = visitor.functions.invoke('send-confirmation-email', { body })
    expect(await succeeded(sent)).toMatchObject({ success: true })
  })
})

describe('the admin', () => {
  it('replies to quote requests, completes and deletes them', async () => {
    const newest = admin
      .from('quote_requests')
      .select('*')
      .order('created_at', { ascending: false })
    const [quote] = (await succeeded(newest)) as { id: string; email: string }[]
    const body = {
      quoteRequestId: quote?.id,
      recipientEmail: quote?.email,
      recipientName: 'Iris Kwan',
      subject: 'Quote for Transmission Service - 2015 Honda Accord',
      originalDraft: 'About $300.',
      polishedDraft: null,
      finalBody: 'About $280.',
      vehicleInfo: '2015 Honda Accord',
    }
    const sent = admin.functions.invoke('send-quote-email', { body })
    expect(await succeeded(sent)).toEqual({ success: true })
    const one = admin.from('quote_requests')
    expect(await succeeded(one.select('status').eq('id', quote?.id))).toEqual([
      { status: 'completed' },
    ])
    await succeeded(one.update({ status: 'pending' }).eq('id', quote?.id))
    await succeeded(one.update({ status: 'completed' }).eq('id', quote?.id))
    const { owner } = shop.database
    const logs = () => owner.query('select from public.quote_email_logs')
    expect((await logs()).rowCount).toBe(1)
    await succeeded(one.delete().eq('id', quote?.id))
    expect((await logs()).rowCount).toBe(0)
  })

  it('reads, completes, reopens and deletes bookings', async () => {
    const all = admin
      .from('bookings')
      .select('*, service:services(name, duration_minutes)')
      .order('appointment_date', { ascending: true })
    const [booking] = (await succeeded(all)) as { id: string }[]
    expect(booking).toMatchObject({ service: { name: 'Brake check', duration_minutes: 60 } })
    const one = admin.from('bookings')
    const completed = { completed_at: new Date().toISOString(), completed_by: 'admin' }
    await succeeded(one.update(completed).eq('id', booking?.id))
    await succeeded(one.update({ completed_at: null, completed_by: null }).eq('id', booking?.id))
    await succeeded(one.update(completed).eq('id', booking?.id))
    await succeeded(one.delete().eq('id', booking?.id))
    expect(await succeeded(one.select('id'))).toEqual([])
  })

  it('creates tasks, changes their status, adds notes to them and deletes the tasks', async () => {
    await shop.database.owner.query(
      `insert into public.employees (name, email) values ('Ana Reyes', 'ana@shop.example')`,
    )
    const employees = admin.from('employees').select('*').eq('is_active', true).order('name')
    const [employee] = (await succeeded(employees)) as { id: string }[]
    const task = {
      title: 'Front brakes',
      description: '',
      priority: 'high',
      assigned_to: employee?.id,
      due_date: '2026-11-30',
    }
    await succeeded(admin.from('tasks').insert(task))
    const listed = admin
      .from('tasks')
      .select('*, employee:employees(*), booking:bookings(*)')
      .order('created_at', { ascending: false })
    const [made] = (await succeeded(listed)) as { id: string }[]
    expect(made).toMatchObject({ title: 'Front brakes', employee: { name: 'Ana Reyes' } })
    const by = { task_id: made?.id, note: 'On it', changed_by: 'admin', changed_by_name: 'admin' }
    for (const status of ['in_progress', 'completed']) {
      await succeeded(admin.rpc('update_task_status', { ...by, new_status: status }))
    }
    await succeeded(admin.rpc('add_task_note', by))
    await succeeded(admin.rpc('mark_task_ready_for_pickup', by))
    for (const table of ['task_status_history', 'task_notes']) {
      const newest = admin.from(table).select('*').in('task_id', [made?.id])
      const rows = await succeeded(newest.order('created_at', { ascending: false }))
      expect(rows).not.toEqual([])
    }
    await succeeded(admin.from('tasks').select('*').eq('status', 'completed'))
    await succeeded(admin.from('tasks').delete().eq('id', made?.id))
    expect(await succeeded(admin.from('tasks').select('id'))).toEqual([])
  })
})
