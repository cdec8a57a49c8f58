import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

/*
 * The intended privileges of each role on each table. The test compares this list with the database catalog: a new
 * table or privilege fails the test until it is added to this list. 'some' means certain columns only.
 */

const roles = [
  'anon',
  'authenticated',
  'service_role',
  'shop_server',
  'supabase_auth_admin',
  'shop_owner',
  'shop_advisor',
  'shop_technician',
] as const

/**
 * Returns the SQL condition that is true when a role has a privilege. For owners and advisors, the condition excludes
 * the privileges that their roles inherit from `authenticated`.
 */
const isOwnPrivilege = (check: (role: string) => string) =>
  `${check('role')} and not (role in ('shop_owner', 'shop_advisor') and ${check("'authenticated'")})`

type Privileges = Partial<Record<(typeof roles)[number], string>>

/**
 * The database roles of owners and advisors are members of `authenticated` and inherit its privileges. For these two
 * roles the list contains only their additional privileges. Row-level security policies refuse all users without a
 * staff account; `openToVisitors` lists the exceptions.
 */
const decided: Record<string, Privileges> = {
  'auth.refresh_tokens': { supabase_auth_admin: 'select insert update delete' },
  'auth.sessions': { supabase_auth_admin: 'select insert update delete' },
  'auth.users': { supabase_auth_admin: 'select insert update delete' },
  'internal.address_answers': {},
  'internal.admin_data_sessions': { shop_server: 'select insert delete' },
  'internal.admin_sessions': { shop_server: 'select insert update delete' },
  'internal.assigned_invoice_numbers': { shop_server: 'select insert' },
  'internal.backup_drills': { shop_server: 'select insert' },
  'internal.backup_key_copies': { shop_server: 'select insert' },
  'internal.bay_hours': {},
  'internal.visitor_booking_limits': {},
  'internal.booking_transitions': {},
  'internal.calendar_feed': { shop_server: 'select insert update delete' },
  'internal.commands': { shop_server: 'select insert update-some delete' },
  'internal.email_kinds': { shop_server: 'select' },
  'internal.visit_link_requests': {},
  'internal.erasure_rules': {},
  'internal.file_cleanups': {},
  'internal.form_origins': { shop_server: 'select delete' },
  'internal.invoice_backfill': { shop_server: 'select update-some' },
  'internal.invoice_links': { shop_server: 'select' },
  'internal.invoice_numbers': { shop_server: 'select insert update' },
  'internal.job_totals': {},
  'internal.known_browsers': { shop_server: 'select insert update delete' },
  'internal.visitor_email_limits': {},
  'internal.owner_notices': { shop_server: 'select delete' },
  'internal.code_apps': { shop_server: 'select insert update' },
  'internal.recovery_codes': { shop_server: 'select insert update-some delete' },
  'internal.pending_sign_ins': { shop_server: 'select insert update-some delete' },
  'internal.passkeys': { shop_server: 'select insert update delete' },
  'internal.sealed_setting_changes': { shop_server: 'select' },
  'internal.sealed_settings': { shop_server: 'select insert update' },
  'internal.passkey_challenges': { shop_server: 'select insert delete' },
  'internal.priced_lines': {},
  'internal.merge_rules': {},
  'internal.rate_limits': { shop_server: 'select insert update delete' },
  'internal.restored_shop': { shop_server: 'select update-some' },
  'internal.secrets': { shop_server: 'select insert' },
  'internal.onboarding': { shop_server: 'select update-some' },
  'internal.sign_in_codes': { shop_server: 'select insert delete' },
  'internal.tablet_attempts': { shop_server: 'select insert delete' },
  'internal.tablet_data_sessions': { shop_server: 'select delete' },
  'internal.tablet_pins': { shop_server: 'select insert update delete' },
  'internal.tablets': { shop_server: 'select insert update' },
  'internal.stripe_events': { shop_server: 'select insert delete' },
  'internal.visitor_emails': { shop_server: 'select delete' },
  'public.authorizations': { authenticated: 'select' },
  'public.bay_services': { authenticated: 'select', service_role: 'select', shop_server: 'select' },
  'public.bays': { authenticated: 'select', service_role: 'select', shop_server: 'select' },
  'public.booking_events': { authenticated: 'select' },
  'public.booking_rules': {
    anon: 'select-some',
    authenticated: 'select update-some',
    service_role: 'select',
    shop_server: 'select',
  },
  'public.bookings': {
    anon: 'insert-some',
    authenticated: 'select insert-some update-some',
    service_role: 'select',
    shop_server: 'select',
    shop_owner: 'delete',
  },
  'public.vehicles': { authenticated: 'select' },
  'public.special_hours': {
    anon: 'select-some',
    authenticated: 'select',
    service_role: 'select',
    shop_server: 'select',
  },
  'public.non_duplicates': { authenticated: 'select' },
  'public.emails': {
    authenticated: 'select-some',
    service_role: 'select',
    shop_server: 'select insert update',
  },
  'public.audit_events': { shop_owner: 'select' },
  'public.erasures': { authenticated: 'select' },
  'public.employees': { authenticated: 'select', shop_owner: 'insert-some update-some' },
  'public.estimate_events': { authenticated: 'select' },
  'public.estimate_invoice_jobs': { authenticated: 'select', shop_server: 'select' },
  'public.estimate_invoices': { authenticated: 'select', shop_server: 'select' },
  'public.estimate_jobs': { authenticated: 'select' },
  'public.estimate_lines': { authenticated: 'select' },
  'public.estimate_revisions': { authenticated: 'select' },
  'public.estimate_rules': {
    authenticated: 'select',
    shop_server: 'select',
    shop_owner: 'update-some',
  },
  'public.estimates': { authenticated: 'select' },
  'public.canned_jobs': { authenticated: 'select' },
  'public.invoices': { authenticated: 'select' },
  'public.schedule_conflicts': { authenticated: 'select' },
  'public.technician_bays': { shop_technician: 'select' },
  'public.technician_bookings': { shop_technician: 'select' },
  'public.technician_hours': { shop_technician: 'select' },
  'public.technician_services': { shop_technician: 'select' },
  'public.technician_tasks': { shop_technician: 'select' },
  'public.odometer_readings': { authenticated: 'select' },
  'public.opening_hours': { anon: 'select', authenticated: 'select', shop_server: 'select' },
  'internal.online_payment_claims': {},
  'internal.payment_page_pauses': { shop_server: 'select-some delete' },
  'internal.payment_pages': { shop_server: 'select update-some delete' },
  'internal.stripe_reports': { shop_server: 'select update-some' },
  'public.credit_notes': { authenticated: 'select', shop_server: 'select' },
  'public.invoice_events': { authenticated: 'select' },
  'public.credit_note_parts': { authenticated: 'select' },
  'public.invoice_lines': { authenticated: 'select' },
  'public.replacement_invoices': { authenticated: 'select' },
  'public.cash_drawers': { authenticated: 'select' },
  'public.cash_movements': { authenticated: 'select' },
  'public.deposits': { authenticated: 'select' },
  'public.day_close_corrections': { authenticated: 'select' },
  'public.day_closes': { authenticated: 'select' },
  'public.payments': { authenticated: 'select', shop_server: 'select' },
  'public.customers': { authenticated: 'select' },
  'public.customer_contact_methods': { authenticated: 'select' },
  'public.customer_notes': { authenticated: 'select' },
  'public.quote_email_logs': { authenticated: 'select' },
  'public.quote_requests': {
    anon: 'insert-some',
    authenticated: 'select insert-some update-some',
    service_role: 'select',
    shop_server: 'select',
    shop_owner: 'delete',
  },
  'public.merges': { authenticated: 'select' },
  'public.services': {
    anon: 'select',
    authenticated: 'select insert-some update-some',
    service_role: 'select',
    shop_server: 'select',
    shop_owner: 'delete',
  },
  'public.staff_accounts': {
    authenticated: 'select',
    service_role: 'select',
    shop_server: 'select insert update-some',
    shop_owner: 'update-some',
  },
  'public.staff_invitations': {
    shop_server: 'select',
    shop_owner: 'select-some insert-some update-some',
  },
  'public.settings_history': { authenticated: 'select', shop_server: 'select' },
  'public.settings_versions': { authenticated: 'select' },
  'public.shop': {
    anon: 'select-some',
    authenticated: 'select update-some',
    service_role: 'select',
    shop_server: 'select',
  },
  'public.task_notes': { authenticated: 'select' },
  'public.task_status_history': { authenticated: 'select' },
  'public.tasks': { authenticated: 'select insert-some', shop_owner: 'delete' },
  'public.tax_rates': { authenticated: 'select', shop_owner: 'insert update-some delete' },
  'stripe_sandbox.event_deliveries': { shop_server: 'select insert update delete' },
  'stripe_sandbox.idempotency_keys': { shop_server: 'select insert update delete' },
  'stripe_sandbox.objects': { shop_server: 'select insert update delete' },
}

/**
 * The complete list of the row-level security policies that allow an action to visitors and to users who are not the
 * admin.
 */
const openToVisitors = [
  'public.booking_rules SELECT',
  'public.bookings INSERT',
  'public.opening_hours SELECT',
  'public.quote_requests INSERT',
  'public.services SELECT',
  'public.shop SELECT',
  'public.special_hours SELECT',
]

/** The roles that may execute each function; 'as owner' marks security definer functions. */
const callable: Record<string, string> = {
  'internal.accept_booking': 'anon authenticated, as owner',
  'internal.address_token': 'shop_server, as owner',
  'internal.addresses_to_ask': 'shop_server, as owner',
  'internal.answer_address_question': 'shop_server, as owner',
  'internal.read_address_question': 'shop_server, as owner',
  'internal.analyze_customers': 'shop_server, as owner',
  'internal.add_sample_bays': 'shop_server, as owner',
  'internal.add_sample_booking': 'shop_server, as owner',
  'internal.add_sample_estimate': 'shop_server, as owner',
  'internal.add_sample_quote': 'shop_server, as owner',
  'internal.add_sample_task': 'shop_server, as owner',
  'internal.confirm_attendance': 'shop_server, as owner',
  'internal.are_https_urls': 'authenticated',
  'internal.begin_sample_week': 'shop_server, as owner',
  'internal.request_visit_links': 'shop_server, as owner',
  'internal.booking_refusal': 'anon authenticated, as owner',
  'internal.normalize_phone': 'anon authenticated',
  'internal.cancel_booking_by_customer': 'shop_server, as owner',

  'internal.bookings_to_remind': 'shop_server, as owner',
  'internal.can_fill_sample_week': 'shop_server, as owner',
  'internal.check_time_zone': 'authenticated',
  'internal.clear_old_position': 'authenticated',
  'internal.confirm_held_booking': 'shop_server, as owner',
  'internal.count_open_test_invoices': 'shop_server, as owner',
  'internal.increment_version': 'authenticated',
  'internal.current_instant': 'anon authenticated shop_server',
  'internal.clear_pin': 'shop_server, as owner',
  'internal.end_code_app': 'shop_server, as owner',
  'internal.end_expired_holds': 'shop_server, as owner',
  'internal.redact_expired_records': 'shop_server, as owner',
  'internal.erase_customer': 'shop_server, as owner',
  'internal.list_open_customer_invoices': 'shop_server, as owner',
  'internal.read_customer_export': 'shop_server, as owner',
  'internal.finish_sample_week': 'shop_server, as owner',
  'internal.save_cancellation_reason': 'shop_server, as owner',
  'internal.default_bay': 'anon authenticated, as owner',
  'internal.find_free_bay': 'anon authenticated, as owner',
  'internal.list_tablet_members': 'shop_server, as owner',
  'internal.has_password': 'shop_server, as owner',
  'internal.staff_role_of': 'shop_server, as owner',
  'internal.has_owner': 'shop_server, as owner',
  'internal.raise_invoice_count': 'shop_server, as owner',
  'internal.database_role_of': 'shop_server supabase_auth_admin, as owner',
  'internal.may_sign_in': 'supabase_auth_admin, as owner',
  'internal.session_ends_at': 'shop_server',
  'internal.staff_role': 'anon authenticated shop_server shop_technician, as owner',
  'internal.refuse_change_by_others': 'shop_owner, as owner',
  'internal.is_owner': 'anon authenticated shop_server shop_technician',
  'internal.claim_link_request': 'shop_server, as owner',
  'internal.claim_owner_notices': 'shop_server, as owner',
  'internal.booking_last_changed_at': 'shop_server, as owner',
  'internal.is_admin': 'anon authenticated shop_server shop_technician',
  'internal.find_staff_invitation': 'shop_server, as owner',
  'internal.accept_staff_invitation': 'shop_server, as owner',
  'public.switch_staff_off': 'shop_owner, as owner',
  'public.switch_staff_on': 'shop_owner, as owner',
  'internal.is_email_address': 'authenticated shop_server',
  'internal.are_booking_texts_valid': 'anon authenticated',
  'internal.is_booking_state_valid': 'anon authenticated',
  'internal.is_single_line_text': 'authenticated shop_server',
  'internal.is_plain_text': 'anon authenticated',
  'internal.keep_bay_hours': 'shop_server, as owner',
  'internal.prevent_open_booking_delete': 'authenticated',
  'internal.link_invoice': 'shop_server, as owner',
  'internal.backfill_customers': 'shop_server, as owner',
  'internal.describe_invoice_records': 'shop_server, as owner',
  'internal.list_appointment_records': 'shop_server, as owner',
  'internal.list_customer_records': 'shop_server, as owner',
  'internal.list_deposit_records': 'shop_server, as owner',
  'internal.list_ledger_records': 'shop_server, as owner',
  'internal.previously_known_start': 'shop_server, as owner',
  'internal.list_taken_times': 'shop_server, as owner',
  'internal.list_reschedule_times': 'shop_server, as owner',
  'internal.lock_booking_day': 'anon authenticated',
  'internal.mail_host_of': 'authenticated',
  'internal.normalize_mailbox': 'anon authenticated',
  'internal.add_owner_notice': 'shop_server, as owner',
  'internal.sent_revision_misdirected_reason': 'service_role shop_server, as owner',
  'internal.move_booking_by_customer': 'shop_server, as owner',
  'internal.open_spans': 'authenticated',
  'internal.shows_every_character': 'anon authenticated',
  'internal.hmac_pad': 'shop_server',
  'internal.link_new_bookings': 'shop_server, as owner',
  'internal.read_visit_page': 'shop_server, as owner',
  'internal.read_visit_page_repair': 'shop_server, as owner',
  'internal.has_invoice': 'shop_server, as owner',
  'internal.refuse_booking': 'anon authenticated, as owner',
  'internal.raise_slot_taken': 'anon authenticated',
  'internal.remove_sample_week': 'shop_server, as owner',
  'internal.shop_now': 'anon authenticated shop_server shop_technician, as owner',
  'internal.names_technician': 'shop_technician, as owner',
  'internal.own_employee_id': 'shop_technician, as owner',
  'internal.technician_assignment': 'shop_technician, as owner',
  'internal.text_for_technicians': 'shop_technician',
  'internal.undo_cancellation_by_customer': 'shop_server, as owner',
  'public.add_customer_note': 'authenticated, as owner',
  'public.change_vehicle_owner': 'authenticated, as owner',
  'public.record_odometer': 'authenticated, as owner',
  'public.read_vehicle': 'authenticated, as owner',
  'public.preview_erasure': 'shop_owner, as owner',
  'public.read_quote_email': 'authenticated, as owner',
  'public.accept_unconfirmed_email': 'authenticated, as owner',
  'public.read_estimate_link': 'authenticated, as owner',
  'public.read_customer_highlights': 'authenticated, as owner',
  'public.read_customer': 'authenticated, as owner',
  'public.remove_odometer_reading': 'authenticated, as owner',
  'public.delete_customer_note': 'authenticated, as owner',
  'public.save_vehicle': 'authenticated, as owner',
  'public.save_customer': 'authenticated, as owner',
  'public.set_customer_reminders': 'authenticated, as owner',
  'public.search_everything': 'authenticated, as owner',
  'public.add_task_note': 'authenticated, as owner',
  'public.book_by_phone': 'authenticated, as owner',
  'public.cancel_bookings': 'authenticated, as owner',
  'public.change_booking_state': 'authenticated, as owner',
  'public.change_estimate_email': 'authenticated, as owner',
  'public.check_booking_time': 'authenticated, as owner',
  'public.claim_email': 'service_role shop_server, as owner',
  'public.find_bookings': 'authenticated, as owner',
  'public.find_customers': 'authenticated, as owner',
  'public.forms_sent_by': 'service_role shop_server, as owner',
  'public.is_time_slot_available': 'anon authenticated shop_server, as owner',
  'public.accept_schedule_conflicts': 'authenticated, as owner',
  'public.mark_not_duplicates': 'authenticated, as owner',
  'public.list_open_days': 'anon authenticated shop_server, as owner',
  'public.list_special_days': 'shop_server, as owner',
  'public.mark_task_ready_for_pickup': 'authenticated, as owner',
  'public.merge_customers': 'shop_owner, as owner',
  'public.edit_booking': 'authenticated, as owner',
  'public.move_booking': 'authenticated, as owner',
  'public.next_free_times': 'authenticated, as owner',
  'public.dismiss_notification': 'authenticated, as owner',
  'public.save_booking_note': 'authenticated, as owner',
  'public.record_email_failure': 'service_role shop_server, as owner',
  'public.record_email_sent': 'service_role shop_server, as owner',
  'public.order_bays': 'authenticated, as owner',
  'public.order_services': 'authenticated, as owner',
  'public.queue_quote_reply': 'service_role shop_server, as owner',
  'public.queue_visitor_email': 'service_role shop_server, as owner',
  'public.read_day': 'authenticated, as owner',
  'public.read_day_close': 'authenticated, as owner',
  'public.vehicle_facts': 'authenticated, as owner',
  'public.wants_parts_back': 'authenticated, as owner',
  'public.read_daily_loads': 'authenticated, as owner',
  'public.list_other_bookings': 'authenticated, as owner',
  'public.read_today': 'authenticated, as owner',

  'public.read_visit_page_link': 'authenticated, as owner',
  'public.remove_special_hours': 'authenticated, as owner',
  'public.reopen_bookings': 'authenticated, as owner',
  'public.save_bay': 'authenticated, as owner',
  'public.save_special_hours': 'authenticated, as owner',
  'public.save_opening_hours': 'authenticated, as owner',
  'public.save_service': 'authenticated, as owner',
  'public.count_open_work': 'authenticated, as owner',
  'public.split_booking': 'authenticated, as owner',
  'public.split_vehicle': 'authenticated, as owner',
  'public.set_task_customer_note': 'authenticated, as owner',
  'public.unmerge': 'shop_owner, as owner',
  'public.update_task_status': 'authenticated, as owner',
  'public.complete_own_task': 'shop_technician, as owner',
  'public.record_technician_step': 'shop_technician, as owner',
  'internal.freeze_estimate': 'shop_server, as owner',
  'internal.read_printable_estimate': 'shop_server, as owner',
  'internal.read_printable_invoice': 'shop_server, as owner',
  'internal.read_sent_revision': 'shop_server, as owner',
  'internal.record_sent_revision_viewed': 'shop_server, as owner',
  'internal.decide_estimate': 'shop_server, as owner',
  'internal.estimate_token': 'shop_server, as owner',
  'internal.clean_audit': 'shop_server, as owner',
  'internal.record_export': 'shop_server, as owner',
  'internal.export_audit': 'shop_server, as owner',
  'internal.has_code_app': 'shop_server supabase_auth_admin, as owner',
  'internal.record_own_change': 'shop_server, as owner',
  'internal.record_refusal': 'shop_server, as owner',
  'public.read_audit': 'shop_owner',
  'internal.has_erasures': 'shop_server, as owner',
  'internal.record_missing_invoice': 'shop_server, as owner',
  'internal.claim_estimate_invoice': 'shop_server, as owner',
  'internal.payment_outcome': 'shop_server',
  'internal.record_failed_refund': 'shop_server, as owner',
  'internal.record_lost_dispute': 'shop_server, as owner',
  'internal.claim_online_payment': 'shop_server, as owner',
  'internal.open_payment_page': 'shop_server, as owner',
  'internal.pause_payment_pages': 'shop_server, as owner',
  'internal.read_invoice_ledger': 'shop_server, as owner',
  'internal.make_invoice_link': 'shop_server, as owner',
  'internal.read_linked_invoice': 'shop_server, as owner',
  'internal.refund_payment': 'authenticated, as owner',
  'public.preview_refund': 'authenticated, as owner',
  'internal.list_write_off_records': 'shop_server, as owner',
  'internal.list_day_close_records': 'shop_server, as owner',
  'public.return_check': 'authenticated, as owner',
  'internal.retry_refund': 'authenticated, as owner',
  'internal.claim_replacement_invoices': 'shop_server, as owner',
  'internal.record_replacement_invoice': 'shop_server, as owner',
  'public.correct_invoice_price': 'authenticated, as owner',
  'public.void_invoice': 'authenticated, as owner',
  'internal.cancel_invoice': 'authenticated, as owner',
  'public.correct_payment': 'authenticated, as owner',
  'public.write_off_invoice': 'authenticated, as owner',
  'public.read_invoice': 'authenticated, as owner',
  'public.take_payment': 'authenticated, as owner',
  'public.ask_deposit': 'authenticated, as owner',
  'public.take_deposit': 'authenticated, as owner',
  'internal.refund_deposit': 'authenticated, as owner',
  'public.correct_deposit': 'authenticated, as owner',
  'public.return_deposit_check': 'authenticated, as owner',
  'public.read_deposit': 'authenticated, as owner',
  'internal.read_sent_deposit': 'shop_server, as owner',
  'internal.open_deposit_page': 'shop_server, as owner',
  'internal.record_online_deposit': 'shop_server, as owner',
  'internal.record_online_payment': 'shop_server, as owner',
  'public.list_invoices': 'authenticated, as owner',
  'public.read_listed_invoice': 'authenticated, as owner',
  'internal.record_estimate_invoice_state': 'shop_server, as owner',
  'internal.list_file_cleanups': 'shop_server, as owner',
  'internal.record_file_cleanup': 'shop_server, as owner',
  'internal.record_file_owner': 'shop_server, as owner',
  'internal.list_stale_invoice_claims': 'shop_server, as owner',
  'internal.read_estimate_invoice': 'shop_server, as owner',
  'internal.estimate_link_version': 'shop_server, as owner',
  'internal.sent_revision_outdated_reason': 'service_role shop_server, as owner',
  'internal.list_approvals_without_email': 'shop_server, as owner',
  'internal.retained_until': 'authenticated shop_server',
  'internal.raise_record_retained': 'authenticated shop_server',
  'public.clean_up_tasks': 'authenticated, as owner',
  'public.close_day': 'authenticated, as owner',
  'public.correct_close': 'authenticated, as owner',
  'public.create_estimate': 'authenticated, as owner',
  'public.create_estimate_tasks': 'authenticated, as owner',
  'public.delete_estimate': 'authenticated, as owner',
  'public.find_canned_jobs': 'authenticated, as owner',
  'public.delete_canned_job': 'authenticated, as owner',
  'public.save_canned_job': 'authenticated, as owner',
  'public.list_estimates': 'authenticated, as owner',
  'public.read_estimate': 'authenticated, as owner',
  'public.list_repair_records': 'authenticated, as owner',
  'public.rename_canned_job': 'authenticated, as owner',
  'public.record_authorization': 'authenticated, as owner',
  'public.record_cash_movement': 'authenticated, as owner',
  'public.record_estimate_odometer': 'authenticated, as owner',
  'public.note_declined_after_tear_down': 'authenticated, as owner',
  'public.save_estimate': 'authenticated, as owner',
  'public.use_todays_tax_rate': 'authenticated, as owner',
  'public.visit_page_token': 'service_role shop_server, as owner',
}

/**
 * All schemas except those of PostgreSQL and of its extensions, and except the schema with the list of applied
 * migrations, which only the owner of that schema can use.
 */
const ownSchemas = `nspname not in ('information_schema', 'extensions', 'supabase_migrations')
  and nspname not like 'pg\\_%'`

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

async function runQuery<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await shop.owner.query<Row>(sql, values)).rows
}

describe('every table', () => {
  it('has row-level security', async () => {
    const open = await runQuery(
      `select relname from pg_class c join pg_namespace n on n.oid = relnamespace
       where ${ownSchemas} and relkind in ('r', 'p') and not relrowsecurity`,
    )
    expect(open).toEqual([])
  })

  it('grants each role exactly the privileges that this file lists', async () => {
    const verbs = ['select', 'insert', 'update', 'delete']
    const rows = await runQuery<{ name: string; role: string; rights: string }>(
      `select nspname || '.' || relname as name, role,
              (select string_agg(
                 case when ${isOwnPrivilege((who) => `has_table_privilege(${who}, c.oid, verb)`)} then verb
                      when verb <> 'delete'
                        and ${isOwnPrivilege((who) => `has_any_column_privilege(${who}, c.oid, verb)`)}
                        then verb || '-some' end, ' ' order by position)
               from unnest($1::text[]) with ordinality as verbs (verb, position)) as rights
       from pg_class c join pg_namespace n on n.oid = relnamespace, unnest($2::text[]) role
       where ${ownSchemas} and relkind in ('r', 'p', 'v', 'm', 'f')`,
      [verbs, roles],
    )
    const actual: Record<string, Record<string, string>> = {}
    for (const { name, role, rights: privileges } of rows) {
      actual[name] = { ...actual[name], ...(privileges && { [role]: privileges }) }
    }
    expect(actual).toEqual(decided)
  })

  it('grants no role of the REST API TRUNCATE, REFERENCES or TRIGGER', async () => {
    const [server] = await runQuery<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    // PostgreSQL 17 and later have the additional privilege MAINTAIN.
    const privileges = `truncate, references, trigger${(server?.version ?? 0) >= 170_000 ? ', maintain' : ''}`
    const found = await runQuery(
      `select relname, role from pg_class c join pg_namespace n on n.oid = relnamespace,
              unnest($1::text[]) role
       where ${ownSchemas} and relkind in ('r', 'p')
         and has_table_privilege(role, c.oid, $2)`,
      [roles, privileges],
    )
    expect(found).toEqual([])
  })

  it('has no policy for visitors except those that this file lists', async () => {
    const rows = await runQuery<{ opened: string }>(
      `select distinct schemaname || '.' || tablename || ' ' || cmd as opened from pg_policies
       where (roles && array['anon', 'public']::name[]
              or 'authenticated' = any(roles)
                 and (cmd in ('SELECT', 'UPDATE', 'DELETE', 'ALL') and qual not like '%is_admin()%'
                      or cmd in ('INSERT', 'UPDATE', 'ALL') and with_check not like '%is_admin()%'))
         and schemaname <> 'auth'
       order by 1`,
    )
    expect(rows.map(({ opened }) => opened)).toEqual(openToVisitors)
  })

  it('of services shows a visitor only the active services', async () => {
    const [policy] = await runQuery<{ qual: string }>(
      `select qual from pg_policies where tablename = 'services' and 'anon' = any(roles)`,
    )
    expect(policy?.qual).toBe('is_active')
  })
})

describe('every function', () => {
  it('can be executed by exactly the roles that this file lists', async () => {
    const rows = await runQuery<{ name: string; may: string | null }>(
      `select nspname || '.' || proname as name,
              (select string_agg(role, ' ' order by position)
               from unnest($1::text[]) with ordinality as roles (role, position)
               where ${isOwnPrivilege((who) => `has_function_privilege(${who}, p.oid, 'execute')`)})
              || case when prosecdef then ', as owner' else '' end as may
       from pg_proc p join pg_namespace n on n.oid = pronamespace
       where ${ownSchemas} and nspname <> 'auth'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
      [roles],
    )
    const actual = Object.fromEntries(rows.flatMap(({ name, may }) => (may ? [[name, may]] : [])))
    expect(actual).toEqual(callable)
  })

  it('sets its search path, unless its body is in the SQL-standard form, whose names PostgreSQL resolved at creation', async () => {
    const loose = await runQuery(
      `select proname from pg_proc p join pg_namespace n on n.oid = pronamespace
       where ${ownSchemas} and nspname <> 'auth' and not coalesce('search_path=""' = any(proconfig), false)
         -- A body in SQL's own syntax ("return …"), which runs with the rights of the caller.
         and (prosqlbody is null or prosecdef)
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
    expect(loose).toEqual([])
  })
})

describe('the roles', () => {
  it('that log in or serve requests are not superusers and cannot bypass row-level security', async () => {
    const rows = await runQuery(
      `select rolname from pg_roles
       where rolname = any($1::text[]) and (rolsuper or rolcreaterole or rolcreatedb
         -- The hosted backend's own role bypasses policies there too; here it has no rights at all.
         or rolbypassrls and rolname <> 'service_role')`,
      [[...roles, 'authenticator']],
    )
    expect(rows).toEqual([])
  })

  it('cannot create objects in any schema', async () => {
    const rows = await runQuery(
      `select nspname, role from pg_namespace, unnest($1::text[]) role
       where ${ownSchemas} and has_schema_privilege(role, oid, 'create')`,
      [roles],
    )
    expect(rows).toEqual([])
  })
})
