import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

/*
 * The column privileges (read, insert, update) of visitors and staff in tables where a role may use only some columns.
 * `permission-matrix.test.ts` lists the table privileges. Owners and advisors also have the privileges of
 * `authenticated`. The list is reviewed by hand; a new column grant fails the test until it is added to the list.
 */
const roles = ['anon', 'authenticated', 'shop_owner', 'shop_advisor', 'shop_technician']

const decided: Readonly<Record<string, string>> = {
  'anon insert public.bookings':
    'appointment_date appointment_time customer_email customer_name customer_phone notes service_id' +
    ' status vehicle_color vehicle_make vehicle_model vehicle_year',
  'anon insert public.quote_requests':
    'description email name phone service_type status vehicle_make vehicle_model vehicle_year',
  'anon select public.booking_rules':
    'booking_window_days cancel_cutoff_minutes change_cutoff_minutes invoice_lookup_requires_email' +
    ' notice_minutes online_booking_paused pause_message slot_interval_minutes',
  'anon select public.shop':
    'appointment_minutes billing_email billing_phone booking_email business_type city country' +
    ' description experts_text latitude legal_name links longitude name phone postal_code' +
    ' quote_reply_hours state street support_email tagline time_zone turnaround_text warranty_text',
  'anon select public.special_hours': 'ends_at is_open reason starts_at',
  'authenticated insert public.bookings':
    'appointment_date appointment_time customer_email customer_name customer_phone notes service_id' +
    ' status vehicle_color vehicle_make vehicle_model vehicle_year',
  'authenticated insert public.quote_requests':
    'description email name phone service_type status vehicle_make vehicle_model vehicle_year',
  'authenticated insert public.services':
    'description duration_minutes is_active name price_from_cents',
  'authenticated insert public.tasks': 'assigned_to booking_id description due_date priority title',
  'authenticated select public.emails':
    'attempts booking_id created_at id invoice_id kind last_error next_attempt_at quote_request_id' +
    ' recipient_email recipient_name sent_at status subject',
  'authenticated update public.booking_rules':
    'booking_window_days cancel_cutoff_minutes change_cutoff_minutes notice_minutes' +
    ' notify_shop_of_changes online_booking_paused pause_message reminder_time slot_interval_minutes',
  'authenticated update public.bookings':
    'completed_at completed_by flagged_reasons internal_note status',
  'authenticated update public.quote_requests': 'flagged_reasons status',
  'authenticated update public.services':
    'description duration_minutes is_active name price_from_cents',
  'authenticated update public.shop':
    'appointment_minutes billing_email billing_phone booking_email business_type city country' +
    ' description experts_text latitude legal_name links longitude name phone postal_code' +
    ' quote_reply_hours state street support_email tagline time_zone turnaround_text warranty_text',
  'shop_owner insert public.employees': 'email is_active name',
  'shop_owner update public.booking_rules':
    'close_print_format counts_cash_before_expected invoice_lookup_requires_email rounds_cash',
  'shop_owner update public.employees': 'email is_active name',
  'shop_owner update public.estimate_rules':
    'conditions epa_number good_for_days labor_rate_cents payer_sentence registration_number',
  'shop_owner update public.staff_accounts': 'email is_active name role',
  'shop_owner insert public.staff_invitations': 'account_id email id name role token_hash',
  'shop_owner select public.staff_invitations':
    'account_id created_at email expires_at id invited_by name role sent_at taken_back_at used_at username',
  'shop_owner update public.staff_invitations': 'taken_back_at token_hash',
  'shop_owner update public.tax_rates': 'rate',
}

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

it('column grants are exactly those that this file lists', async () => {
  const { rows } = await shop.owner.query<{ grant: string; columns: string }>(
    `select concat_ws(' ', role, verb, format('%s.%s', nspname, relname)) as grant,
            string_agg(attname, ' ' order by attname) as columns
     from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute a on a.attrelid = c.oid,
          unnest($1::text[]) role, unnest(array['select', 'insert', 'update']) verb
     where nspname in ('public', 'internal', 'auth') and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped
       and has_column_privilege(role, c.oid, attnum, verb) and not has_table_privilege(role, c.oid, verb)
       and not (role like 'shop\\_%' and pg_has_role(role, 'authenticated', 'usage')
                and has_column_privilege('authenticated', c.oid, attnum, verb))
     group by 1`,
    [roles],
  )
  expect(Object.fromEntries(rows.map(({ grant, columns }) => [grant, columns]))).toEqual(decided)
})
