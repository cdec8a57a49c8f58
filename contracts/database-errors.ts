import { customerErrors } from './customer-errors.ts'
import { dayCloseErrors } from './payments/day-close-errors.ts'
import { ledgerErrors } from './payments/ledger-errors.ts'

/**
 * One SQLSTATE: its meaning for developers, the default message that pages show, and the hints with which the
 * database raises it.
 */
export type DatabaseError = Readonly<Record<'meaning' | 'message', string>> & {
  readonly hints: readonly string[]
}

/**
 * Every SQLSTATE that the functions of `supabase/schemas` raise, including codes of PostgreSQL itself that a function
 * raises explicitly. A test checks that this list and the schema contain the same codes.
 */
export const databaseErrors = {
  '22023': {
    meaning: 'A parameter has a value that no form of the site sends.',
    message: 'Check your entries and try again.',
    hints: [
      'bay_not_found',
      'contact_change_required',
      'date_in_future',
      'date_too_old',
      'invalid_date',
      'invalid_email',
      'invalid_odometer',
      'invalid_order',
      'invalid_range',
      'invalid_reason',
      'invalid_slot',
      'invalid_status',
      'no_tear_down',
      'vehicle_incomplete',
    ],
  },
  '23502': {
    meaning: 'A booking from the site has no email address.',
    message: 'Enter an email address.',
    hints: ['email_required'],
  },
  '23514': {
    meaning: 'A name or phone number is empty, too long or has invisible characters.',
    message: 'Check the name, the email address and the phone number.',
    hints: ['invalid_contact'],
  },
  '23P01': {
    meaning: 'No bay is free (constraint `bookings_do_not_overlap`).',
    message: 'Another appointment has this time now. Pick another time.',
    hints: ['slot_taken'],
  },
  '42501': {
    meaning:
      'The role of the caller does not allow the request, or the staff account was deactivated.',
    message: 'Sign in with an account that may do this, or ask an owner.',
    hints: [],
  },
  TT001: {
    meaning: 'The service is not active, or no active bay can do it.',
    message: 'This service can no longer be booked. Choose another one.',
    hints: ['service_unavailable'],
  },
  TT002: {
    meaning: 'A visitor inserts a booking with a status other than confirmed.',
    message: 'This appointment could not be booked. Reload the page and try again.',
    hints: ['status_not_confirmed'],
  },
  TT003: {
    meaning: 'A booking from the site does not name year, make and model of the vehicle.',
    message: 'Enter year, make and model of the vehicle.',
    hints: ['vehicle_required'],
  },
  TT004: {
    meaning: 'One request of a visitor inserts several bookings.',
    message: 'Book one appointment at a time.',
    hints: ['one_booking_per_request'],
  },
  TT011: {
    meaning: 'The start of the booking has passed.',
    message: 'This time has passed. Pick another one.',
    hints: ['in_the_past'],
  },
  TT012: {
    meaning: 'The start of the booking is sooner than the minimum notice allows.',
    message: 'This time is too soon to book online. Pick a later one.',
    hints: ['notice_required'],
  },
  TT013: {
    meaning: 'The start of the booking is beyond the booking window.',
    message: 'This time is too far ahead to book online. Pick an earlier one.',
    hints: ['too_far_ahead'],
  },
  TT014: {
    meaning: 'No bay is open for the whole booking.',
    message: 'The shop is not open for the whole appointment. Pick another time.',
    hints: ['outside_hours'],
  },
  TT015: {
    meaning: 'The start of the booking is between two offered times.',
    message: 'Pick one of the offered times.',
    hints: ['off_the_grid'],
  },
  TT016: {
    meaning: 'The owner paused online booking. The message of the error is the pause message.',
    message: 'Online booking is paused. Please call the shop.',
    hints: ['booking_paused'],
  },
  TT021: {
    meaning: 'The booking that is to be deleted is not completed.',
    message: 'Only completed appointments can be deleted.',
    hints: ['not_completed'],
  },
  TT031: {
    meaning: 'The task was deleted.',
    message: 'This task no longer exists.',
    hints: ['task_not_found'],
  },
  TT032: {
    meaning: 'The task that is to be marked ready for pickup is not completed.',
    message: 'Only a completed task can be marked ready for pickup.',
    hints: ['not_completed'],
  },
  TT041: {
    meaning:
      'Too many online bookings are not yet confirmed by their customers, in total or from this network.',
    message: 'This appointment cannot be booked online right now. Please call the shop.',
    hints: ['too_many_held'],
  },
  TT042: {
    meaning: 'The customer has the maximum number of open bookings.',
    message: 'This customer already has five upcoming appointments, the maximum.',
    hints: ['too_many_open'],
  },
  TT050: {
    meaning:
      'The preview of a settings change rolls its transaction back. The error detail is the result of the preview.',
    message: 'This was only a preview. Nothing was changed.',
    hints: ['preview'],
  },
  TT051: {
    meaning: 'Version conflict: someone else changed the record since it was read.',
    message: 'Someone else changed this record. Check the current version and try again.',
    hints: ['version_conflict'],
  },
  TT052: {
    meaning: 'PostgreSQL does not know the time zone of the shop.',
    message: 'Choose a time zone from the list.',
    hints: ['time_zone_unknown'],
  },
  TT053: {
    meaning: 'The last active service would be deactivated or deleted.',
    message: 'Keep at least one service active.',
    hints: ['last_active_service'],
  },
  TT054: {
    meaning: 'The last active bay would be deactivated.',
    message: 'Keep at least one bay active.',
    hints: ['last_active_bay'],
  },
  TT055: {
    meaning: 'A row of an append-only table would be changed or deleted.',
    message: 'The history cannot be changed.',
    hints: ['append_only'],
  },
  TT056: {
    meaning: 'The change would leave a bay without any service.',
    message: 'This is the only service of the bay. Give the bay another service first.',
    hints: ['bay_without_service'],
  },
  TT060: {
    meaning: 'The booking was deleted.',
    message: 'This appointment no longer exists.',
    hints: ['booking_not_found'],
  },
  TT062: {
    meaning:
      '`booking_transitions` does not allow this change from the current state of the booking.',
    message: 'The status of this appointment has changed. Check the current status.',
    hints: ['state_not_allowed'],
  },
  TT063: {
    meaning: 'A booking is marked as a no-show less than 15 minutes after its start.',
    message: 'You can mark a no-show from 15 minutes after the start time.',
    hints: ['too_early'],
  },
  TT064: {
    meaning: 'The service cannot be done in this bay.',
    message: 'This bay cannot do this service. Choose another bay.',
    hints: ['bay_cannot_do_service'],
  },
  TT065: {
    meaning: 'The bay is deactivated.',
    message: 'This bay was deactivated. Choose another one.',
    hints: ['bay_not_active'],
  },
  TT066: {
    meaning: 'The change requires a reason, and the request has none.',
    message: 'Enter a reason.',
    hints: ['reason_required'],
  },
  TT067: {
    meaning:
      'The booking is not open, so it is neither moved nor edited. The error detail is the state of the booking.',
    message: 'This appointment is no longer open.',
    hints: ['not_open'],
  },
  TT071: {
    meaning:
      'The estimate, the canned job, or the record from which an estimate is created no longer exists.',
    message: 'This record no longer exists.',
    hints: ['canned_job_not_found', 'estimate_not_found', 'source_not_found'],
  },
  TT072: {
    meaning: 'An invoice would bill more or other work than the customer approved.',
    message: 'The invoice bills more or other work than the customer approved.',
    hints: ['above_authorized', 'approval_void', 'scope_changed', 'total_differs'],
  },
  TT073: {
    meaning: 'The estimate has expired.',
    message: 'This estimate has expired.',
    hints: ['expired'],
  },
  TT074: {
    meaning: 'The estimate is not complete enough to be sent, or its document is invalid.',
    message: 'This estimate is not complete.',
    hints: [
      'description_missing',
      'discount_above_job',
      'generic_supplies',
      'hazardous_waste_needs_epa',
      'invalid_document',
      'method_not_allowed',
      'name_missing',
      'no_jobs',
      'no_lines',
      'odometer_missing',
      'title_missing',
      'too_many_lines',
      'total_too_large',
    ],
  },
  TT075: {
    meaning: 'The estimate has an invoice.',
    message: 'This estimate already has an invoice.',
    hints: ['already_invoiced'],
  },
  TT076: {
    meaning:
      'The row belongs to a sent revision of an estimate or to an invoice, or the law requires the shop to retain it.',
    message: 'The shop has to retain this record.',
    hints: ['estimate_sent', 'frozen', 'record_retained'],
  },
  TT077: {
    meaning: 'The authorization contains no decision about a job, or the customer approved no job.',
    message: 'The customer has not approved a job yet.',
    hints: ['no_decision', 'nothing_approved'],
  },
  TT079: {
    meaning:
      'The customer declined the job before, and staff did not acknowledge the earlier decision.',
    message: 'The customer declined this job before. Check that decision first.',
    hints: ['declined_before'],
  },
  ...customerErrors,
  ...ledgerErrors,
  ...dayCloseErrors,
  TT120: {
    meaning: 'The change would deactivate, demote or delete the last active owner.',
    message: 'This is the last active owner. At least one owner has to be able to sign in.',
    hints: ['last_owner'],
  },
  TT121: {
    meaning: 'The email address of an invitation belongs to a staff account.',
    message: 'A team member already has this email address.',
    hints: ['address_has_account'],
  },
  TT123: {
    meaning:
      'A Stripe account cannot be connected while invoices of the payment sandbox (test mode) are open.',
    message:
      'Test invoices are still open. Void each one or record its payment before you connect a Stripe account.',
    hints: ['test_invoices_open'],
  },
  TT122: {
    meaning: 'The invitation was used or withdrawn, or the account does not exist.',
    message: 'This invitation or account has changed. Check the list of team members.',
    hints: ['invitation_ended', 'no_account'],
  },
} as const satisfies Readonly<Record<string, DatabaseError>>

/** The SQLSTATE of a version conflict: another client changed the record after this client read it. */
export const versionConflictCode = 'TT051' satisfies keyof typeof databaseErrors
