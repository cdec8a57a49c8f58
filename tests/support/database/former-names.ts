/** The current names of renamed tables, by their names in the first release. */
const renamedTables: Readonly<Record<string, string>> = {
  'internal.booking_caps': 'internal.visitor_booking_limits',
  'internal.letter_caps': 'internal.visitor_email_limits',
  'internal.link_requests': 'internal.visit_link_requests',
  'internal.shop_setup': 'internal.onboarding',
  'internal.visitor_letters': 'internal.visitor_emails',
  'public.cars': 'public.vehicles',
  'public.closures': 'public.special_hours',
  'public.different_people': 'public.non_duplicates',
  'public.invoice_links': 'public.invoices',
  'public.kept_jobs': 'public.canned_jobs',
  'public.people': 'public.customers',
  'public.person_contacts': 'public.customer_contact_methods',
  'public.person_notes': 'public.customer_notes',
  'public.record_merges': 'public.merges',
}

/**
 * The dropped columns, by the current name of their table. A migration removed these columns or replaced them by rows
 * of the same table.
 */
export const droppedColumns: Readonly<Record<string, readonly string[]>> = {
  // Ledger lines of the kinds 'refund' and 'customer_credit' replaced the column `outcome` of the payments.
  'public.payments': ['invoice_number', 'outcome', 'overpaid_cents'],
}

/** The current names of renamed columns, by the names that the table and the column had in the first release. */
const renamedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'internal.booking_caps': {
    span: 'period',
    most: 'max_count',
  },
  'internal.calendar_feed': {
    only_one: 'id',
  },
  'internal.email_kinds': {
    is_confirmation: 'is_visitor_triggered',
    agrees_with: 'must_match',
    leaves_at_night: 'is_sent_at_night',
  },
  'internal.known_browsers': {
    tries_left: 'attempts_left',
  },
  'internal.letter_caps': {
    span: 'period',
    most: 'max_count',
  },
  'internal.link_requests': {
    asked_at: 'requested_at',
  },
  'internal.owner_notices': {
    told_at: 'notified_at',
  },
  'internal.visitor_letters': {
    refused_because: 'exceeded_limit',
  },
  'public.authorizations': {
    act_id: 'batch_id',
    person: 'decided_by_name',
    relation: 'relationship',
    words: 'statement',
    said_at: 'decided_at',
    person_id: 'customer_id',
    car_id: 'vehicle_id',
  },
  'public.booking_rules': {
    horizon_days: 'booking_window_days',
    grid_minutes: 'slot_interval_minutes',
    pause_sentence: 'pause_message',
    invoice_lookup_asks_email: 'invoice_lookup_requires_email',
    tell_shop_of_changes: 'notify_shop_of_changes',
  },
  'public.bookings': {
    kept_at: 'conflict_accepted_at',
    kept_by: 'conflict_accepted_by',
    state_since: 'state_changed_at',
    shop_note: 'internal_note',
    answered_at: 'attendance_confirmed_at',
    thread_id: 'repair_id',
    person_id: 'customer_id',
    car_id: 'vehicle_id',
  },
  'public.cars': {
    person_id: 'customer_id',
    note: 'internal_note',
    car_key: 'vehicle_key',
  },
  'public.different_people': {
    person_id: 'customer_id',
    other_id: 'other_customer_id',
  },
  'public.emails': {
    resends: 'resend_count',
  },
  'public.erasures': {
    person_id: 'customer_id',
    kept: 'retained',
    kept_until: 'retained_until',
  },
  'public.estimate_jobs': {
    key: 'job_key',
    plain_words: 'customer_description',
    is_needed: 'is_needed_now',
    measure: 'measurement',
  },
  'public.estimate_lines': {
    detail: 'subtype',
    thousandths: 'quantity_thousandths',
    unit_cents: 'unit_price_cents',
  },
  'public.estimate_revisions': {
    answered_at: 'decided_at',
  },
  'public.estimates': {
    thread_id: 'repair_id',
    person_id: 'customer_id',
    car_id: 'vehicle_id',
  },
  'public.invoice_links': {
    person_id: 'customer_id',
    car_id: 'vehicle_id',
    made_at: 'created_at',
  },
  'public.kept_jobs': {
    kept_at: 'saved_at',
  },
  'public.odometer_readings': {
    car_id: 'vehicle_id',
  },
  'public.person_contacts': {
    person_id: 'customer_id',
    key: 'match_key',
  },
  'public.person_notes': {
    person_id: 'customer_id',
  },
  'public.quote_requests': {
    thread_id: 'repair_id',
    person_id: 'customer_id',
    car_id: 'vehicle_id',
  },
  'public.record_merges': {
    kept_id: 'survivor_id',
    gone_id: 'duplicate_id',
    part_of: 'parent_merge_id',
    moved: 'moved_rows',
    before: 'survivor_changes',
  },
  'public.shop': {
    kind: 'business_type',
    lead: 'description',
  },
}

/** Returns the current name of a table of the first release. */
export const tableToday = (table: string): string => renamedTables[table] ?? table

/** Returns the current name of a column, by the names that the table and the column had in the first release. */
export const columnToday = (table: string, column: string): string =>
  renamedColumns[table]?.[column] ?? column
