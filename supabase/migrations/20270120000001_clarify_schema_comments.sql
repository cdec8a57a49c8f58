-- Clarifies comments of tables, columns and functions.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.record_refusal(
  kind text, staff_user_id uuid, tried_username text, detail text, network_address inet
) returns void
  -- Runs with its owner's rights, because the server may not read or write the audit itself.
  language plpgsql security definer set search_path = '' as $$
declare
  subject constant uuid := internal.user_id_of(tried_username);
begin
  -- One line in 15 minutes for one account and one kind, so that an attacker who tries without pause does not fill the audit.
  if exists (
    select from public.audit_events earlier
    where earlier.kind = record_refusal.kind and earlier.happened_at > clock_timestamp() - interval '15 minutes'
      and earlier.user_id is not distinct from staff_user_id and earlier.subject_user_id is not distinct from subject
      and earlier.detail is not distinct from record_refusal.detail)
  then
    return;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', record_refusal.kind, 'user_id', staff_user_id, 'subject_user_id', subject, 'detail', record_refusal.detail,
    'network_address', record_refusal.network_address)));
end
$$;

COMMENT ON COLUMN "internal"."admin_sessions"."id" IS 'Identifies the session in the list of sessions; grants no access.';

COMMENT ON COLUMN "internal"."backup_drills"."differing" IS 'The differences: the names of tables, ''catalog'' for the schema, ''files'' for the files.';

COMMENT ON COLUMN "internal"."code_apps"."last_step" IS 'The number of the 30-second step of the last accepted code, counted from 1970. The server accepts no further code of this or an earlier step.';

COMMENT ON COLUMN "internal"."commands"."id" IS 'The id that the page creates once for each press of a button.';

COMMENT ON COLUMN "internal"."email_kinds"."is_retried" IS 'Whether a failed message is sent again later; otherwise the sender gets the error immediately.';

COMMENT ON COLUMN "internal"."known_browsers"."attempts_left" IS 'The number of further wrong passwords after which the browser counts as unknown; a right password resets the number.';

COMMENT ON COLUMN "internal"."passkeys"."is_backup_eligible" IS 'Whether the passkey can be synced between devices; the server then ignores its counter.';

COMMENT ON COLUMN "internal"."payment_pages"."closed_at" IS 'When the server found that the session is completed or expired.';

COMMENT ON COLUMN "internal"."payment_pages"."session_id" IS 'The id of the session at Stripe; null until Stripe has created it.';

COMMENT ON COLUMN "internal"."stripe_reports"."state" IS 'due: the job has to report the change. reported: Stripe has accepted it. refused: Stripe does not accept it, for the reason in problem; the change counts nevertheless. reversed: the payment was reversed before Stripe was notified. corrected: Stripe keeps the line that this one corrects.';

COMMENT ON COLUMN "public"."audit_events"."amount_cents" IS 'The refunded amount, above zero.';

COMMENT ON COLUMN "public"."audit_events"."detail" IS 'Details of the event: the roles of a change, the person and role of an invitation, the refused path, the days of a file.';

COMMENT ON COLUMN "public"."audit_events"."network_address" IS 'The network address of the client; after 30 days only its network, /24 or /48.';

COMMENT ON COLUMN "public"."audit_events"."user_id" IS 'The staff account that caused the event; null for a command of the server and for a person who is not signed in.';

COMMENT ON COLUMN "public"."authorizations"."withdraws_id" IS 'The decision that this row withdraws, because the estimate was sent to the wrong recipient; neither row counts.';

COMMENT ON COLUMN "public"."credit_notes"."kind" IS 'price_correction: for an open invoice; no money moves. refund: of a paid invoice, with a refund of the same sum. cancellation: for the whole rest of an invoice with payments.';

COMMENT ON COLUMN "public"."day_close_corrections"."amount_cents" IS 'The amount by which the counted cash should have been higher (or, negative, lower). US cents.';

COMMENT ON COLUMN "public"."day_closes"."counted" IS 'The number of bills and coins by denomination in cents; a denomination without any is missing.';

COMMENT ON COLUMN "public"."day_closes"."expected_cents" IS 'The cash that should have been in the drawer at the close: the start, and the day''s cash payments, refunds and movements.';

COMMENT ON COLUMN "public"."day_closes"."remains_cents" IS 'The cash that stays in the drawer, which is the start of the next day. The rest of the counted cash goes to the bank.';

COMMENT ON COLUMN "public"."day_closes"."start_cents" IS 'The cash in the drawer at the start of the day: the amount that the previous close left in it.';

COMMENT ON COLUMN "public"."deposits"."amount_cents" IS 'The requested amount in US cents. The customer pays at most the approved amount.';

COMMENT ON COLUMN "public"."deposits"."share_percent" IS 'The share of the approved amount, in percent.';

COMMENT ON COLUMN "public"."erasures"."customer_id" IS 'The row of customers, which no longer has personal data.';

COMMENT ON COLUMN "public"."estimate_jobs"."is_needed_now" IS 'Whether the job is needed now; false when it can be done later.';

COMMENT ON COLUMN "public"."estimate_jobs"."tear_down" IS 'The facts that a customer must read before a tear-down (16 CCR 3353): {areas, priceCents, reassemblyPriceCents, destroyedParts, reassemblyTime, mayPreventReassembly}; null for a job of another kind.';

COMMENT ON COLUMN "public"."estimate_revisions"."document" IS 'The complete text that the customer saw, with all amounts.';

COMMENT ON COLUMN "public"."estimates"."internal_note" IS 'An internal note of staff; customers see it in no email, no PDF and on no page.';

COMMENT ON COLUMN "public"."estimates"."payer_name" IS 'The person or company that pays in place of the customer, such as an insurer; '''' for nobody (16 CCR 3353).';

COMMENT ON COLUMN "public"."invoice_lines"."cents" IS 'The price of the line with tax.';

COMMENT ON COLUMN "public"."invoices"."total_cents" IS 'The total, in minor units of the currency.';

COMMENT ON COLUMN "public"."invoices"."voided_at" IS 'When staff voided the invoice. The status at Stripe changes after the shop has notified Stripe.';

COMMENT ON COLUMN "public"."invoices"."written_off_at" IS 'When staff wrote the invoice off. The status at Stripe changes after the shop has notified Stripe.';

COMMENT ON COLUMN "public"."payments"."amount_cents" IS 'The amount that the line adds to the paid amount of the invoice; negative for returned money. Minor units of the currency.';

COMMENT ON COLUMN "public"."payments"."cause" IS 'Why a line was reversed; null for other lines and for older reversals without a recorded cause.';

COMMENT ON COLUMN "public"."payments"."kind" IS 'payment: received. refund: returned to the customer. reversal: a line that was wrong or whose money never arrived. customer_credit: the part of an overpayment that the customer has as credit at Stripe. cash_rounding: the difference to the rounded cash amount. applied_deposit: the part of the invoice that the deposit of the estimate pays; no money moves.';

COMMENT ON COLUMN "public"."replacement_invoices"."invoice_id" IS 'The replacement invoice; null until Stripe has created it. Until then the balance is due on the first invoice.';

COMMENT ON COLUMN "public"."replacement_invoices"."reversal_id" IS 'The line of the ledger that reduced the paid amount of the first invoice.';

COMMENT ON COLUMN "public"."staff_invitations"."token_hash" IS 'SHA-256 of the token of the link. A new token makes the former link invalid.';

COMMENT ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text) IS 'Creates the staff account of an open invitation, with exactly its name, address and role; false when the invitation is no longer open.';

COMMENT ON FUNCTION "internal"."applied_deposit_cents"(uuid) IS 'The part of an invoice that the deposit of its estimate pays.';

COMMENT ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) IS 'Pays the new invoice of an estimate with its deposit; the part that exceeds the invoice is returned by the method of the payment.';

COMMENT ON FUNCTION "internal"."approved_cents"(uuid) IS 'The approved amount of an estimate.';

COMMENT ON FUNCTION "internal"."asked_deposit_cents"(uuid) IS 'The deposit that the customer must pay now, at most the approved amount; 0 before an approval and without a deposit.';

COMMENT ON FUNCTION "internal"."awaited_cents"(text) IS 'The part of an invoice for which the shop is about to create a replacement invoice. Nobody can pay it until then.';

COMMENT ON FUNCTION "internal"."build_revision_document"(uuid, integer) IS 'All data of a revision that its customer sees, without the internal note.';

COMMENT ON FUNCTION "internal"."cancel_invoice"(text, text) IS 'Credits the whole rest of an invoice and returns each payment by its method: {refundCents, creditNoteId, customer}. Its estimate can be invoiced again.';

COMMENT ON FUNCTION "internal"."cash_of_day"(date) IS 'The cash of a business date without the start, in cents: {inCents, refundedCents, paidInCents, paidOutCents, changeCents}. refundedCents is negative when more refunds failed than were made; changeCents is the sum with signs. A cash rounding moves no cash: the payment states the received cash.';

COMMENT ON FUNCTION "internal"."change_staff_invitation"() IS 'Refuses (TT122) changes of ended invitations, and sets the 72 hours of a new link.';

COMMENT ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) IS 'Whether an online payment may be attached to its invoice. False when the balance after payments at the counter or corrections is below its amount; the server then refunds the payment.';

COMMENT ON FUNCTION "internal"."claim_replacement_invoices"() IS 'The replacement invoices that the job must create now, at most 20: [{requestId, originalNumber, amountCents, cause, name, email, phone}]. Each is returned again after increasing pauses until it exists.';

COMMENT ON FUNCTION "internal"."claimed_cents"(text) IS 'The part of a balance that cannot be paid now: online payments that are about to enter the ledger, and replacement invoices that do not exist yet.';

COMMENT ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) IS 'Removes a deposit from its invoice, reverses it, and records and applies it with the right method and amount.';

COMMENT ON FUNCTION "internal"."deposit_limit_cents"(uuid) IS 'The largest possible deposit of an estimate: the approved amount or, before an approval, the total of all its jobs.';

COMMENT ON FUNCTION "internal"."deposit_state"(uuid) IS 'The state of a deposit: none; asked (no job is approved yet); open (to be paid); paid (held by the shop); applied (to the invoice); refunded.';

COMMENT ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) IS 'The customer''s data for an email about a deposit.';

COMMENT ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) IS 'An invoice with its balance, as lists and panels show it (contracts/invoices/invoice-list.ts). The email address is the customer''s current one; null after an erasure.';

COMMENT ON FUNCTION "internal"."describe_recipient"(public.invoices) IS 'The customer''s data for an email about an invoice.';

COMMENT ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) IS 'The method by which the shop returns a payment, for the sentence to the customer (domain/payments/correction-text.ts): {method, isSameWay, reference}.';

COMMENT ON FUNCTION "internal"."describe_undecided_deposits"() IS 'The first 50 deposits about which staff must decide, for Today.';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'The cash that should be in the drawer now. Null before the first close, while an earlier day is open, after the close of today, and when cash is counted before the expected sum is shown.';

COMMENT ON FUNCTION "internal"."email_outdated_reason"(public.emails) IS 'The reason why an email must no longer be sent, as text for the outbox; null while it can be sent.';

COMMENT ON FUNCTION "internal"."end_data_session"() IS 'Ends the data session when its dashboard session is deleted.';

COMMENT ON FUNCTION "internal"."end_tablet_data_session"() IS 'Revokes the rights of the access tokens of a session that ended at a shared tablet.';

COMMENT ON FUNCTION "internal"."exact_cents"(public.payments) IS 'The part of its invoice that a payment paid, with the cash rounding.';

COMMENT ON FUNCTION "internal"."has_code_app"(uuid) IS 'Whether a staff account needs a code in addition to its password.';

COMMENT ON FUNCTION "internal"."has_lasting_deposit"(uuid) IS 'Whether the deposit of an estimate was paid, and neither recorded by mistake nor returned by the bank. The shop then requests no other deposit.';

COMMENT ON FUNCTION "internal"."has_lines"(date) IS 'Whether a business date has lines of the ledger or movements of cash to close.';

COMMENT ON FUNCTION "internal"."held_deposit_cents"(uuid) IS 'The part of an estimate''s deposit that the shop holds: neither applied to an invoice nor returned.';

COMMENT ON FUNCTION "internal"."hmac_sha256"(text, text) IS 'HMAC (RFC 2104) with the built-in SHA-256, because some servers lack pgcrypto.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'The amount that is still due: the total minus credit notes, the paid amount and what is due on replacement invoices; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."invoice_parts"(public.invoices) IS 'The amount of each job or line of an invoice that can still be credited. None when the parts are not known, or when an earlier credit note does not name the parts that it credits.';

COMMENT ON FUNCTION "internal"."is_known_to_stripe"(public.payments) IS 'Whether Stripe counts a payment as received, or may do so.';

COMMENT ON FUNCTION "internal"."is_paid_off"(public.invoices) IS 'Whether an invoice is not void and has no balance, neither itself nor on a replacement invoice.';

COMMENT ON FUNCTION "internal"."is_refund_waiting"(public.payments) IS 'Whether the shop has to report a refund after this payment. Stripe accepts the refund only for an invoice that was paid.';

COMMENT ON FUNCTION "internal"."is_void"(public.invoices) IS 'Whether the invoice is void: Stripe says so, or staff voided it.';

COMMENT ON FUNCTION "internal"."is_whole_payment"(public.payments) IS 'Whether a line is a payment, or an applied deposit, of which no part was returned.';

COMMENT ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) IS 'Stores the lines of an invoice once: [{description, cents, tax_cents}]. Stores none when they do not add up to the total.';

COMMENT ON FUNCTION "internal"."left_cents"(public.payments) IS 'The amount of a payment that can still be returned, or of a deposit that can still be applied; 0 for a line of another kind.';

COMMENT ON FUNCTION "internal"."list_day_close_records"(date, date, integer) IS 'A page of the closes after one business date up to and including another: the expected and the counted amounts, the cash rounding of the day, and the sum of later corrections.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although Stripe knows every change, or of which Stripe refused a report. Only invoices that staff or a reversal changed lately are compared, because the start page counts them every minute.';

COMMENT ON FUNCTION "internal"."list_tear_down_declines"(uuid) IS 'The work that the customer declined after a tear-down: [{declined, jobTitle, notedBy, at}], declined is repair or reassembly.';

COMMENT ON FUNCTION "internal"."list_undecided_deposits"() IS 'Deposits that the shop holds although no job is approved any more, or the appointment was cancelled or missed: staff decide whether to return them.';

COMMENT ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) IS 'A page of the write-offs of a range of the shop''s dates, after the last one read: the balance when the invoice was written off, and what is open now.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'A payment of the counter, or an applied deposit, of which no part was returned, with its invoice and another one locked; refuses (TT103) every other line.';

COMMENT ON FUNCTION "internal"."lock_correctable_deposit"(uuid) IS 'Locks the estimate of a counter deposit that the shop holds completely, and returns the deposit; refuses (TT104) every other line.';

COMMENT ON FUNCTION "internal"."may_follow"(public.payments, public.payments) IS 'Whether a line can refer to another line: both are of one invoice or estimate, and the kind of the first may follow the kind of the second.';

COMMENT ON FUNCTION "internal"."methods_of_day"(date) IS 'The amounts that each payment method received on a business date: {cash: {cents (less refunds), payments, refunds}, card_terminal, …}.';

COMMENT ON FUNCTION "internal"."miles_per_month"(uuid) IS 'The miles per month, computed from the last twelve readings; null when these readings are within thirty days.';

COMMENT ON FUNCTION "internal"."notify_team_changed"() IS 'Notifies the open dashboards, which then read the team again.';

COMMENT ON FUNCTION "internal"."overpaid_cents"(text) IS 'The money that the shop received above the invoice amount, because a refund failed; negative while a balance is due.';

COMMENT ON FUNCTION "internal"."passes_luhn"(text) IS 'Whether the check digit of a card number is valid (ISO/IEC 7812-1, annex B).';

COMMENT ON FUNCTION "internal"."pause_payment_pages"(text) IS 'Prevents for a minute that a payment page of the invoice opens; returns whether one is open.';

COMMENT ON FUNCTION "internal"."payment_outcome"(public.payments) IS 'The outcome of a payment. applied: it paid the invoice. overpaid: the excess is the customer''s credit. refunded: the whole payment was returned.';

COMMENT ON FUNCTION "internal"."payments_after_close"(date) IS 'After the close of today: the day to which later payments count, and their sum: {day, receivedCents}. Null while today is not closed.';

COMMENT ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) IS 'The amounts that a refund of a payment returns and credits: {refundCents, creditCents, taxCents, parts [{title, amountCents, taxCents}]}. With parts, the amount is the rest of these parts, and is null or the sum that staff saw. Refuses (TT101, TT103) more than the rest.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit above the remaining amount of its line, or for another invoice.';

COMMENT ON FUNCTION "internal"."prevent_payment_change"() IS 'Lets an erasure empty the note of a payment, and refuses every other change (TT055).';

COMMENT ON FUNCTION "internal"."read_customer_export"(uuid) IS 'All stored data of a customer, by kind: rows as stored, emails with their attachments.';

COMMENT ON FUNCTION "internal"."read_linked_invoice"(text) IS 'An invoice as every holder of its link sees it, without a name, phone number, email address, plate or VIN: {number, state, currency, dueDate, totalCents, paidCents, balanceCents, work [{position, description, cents with tax}]}.';

COMMENT ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) IS 'Reverses a card payment that the customer''s bank took back, at most its remaining amount; the amount is due on a replacement invoice. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_missing_invoice"(text) IS 'Marks an invoice as void that Stripe no longer has.';

COMMENT ON FUNCTION "internal"."record_online_deposit"(jsonb) IS 'Records a deposit that Stripe reported: {estimateId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970)}. held; returned (the deposit was paid before, is no longer requested, or exceeds the approved amount); known (recorded before).';

COMMENT ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) IS 'Records that a replacement invoice exists: the balance is then due on this invoice instead of the first one.';

COMMENT ON FUNCTION "internal"."refund_deposit"(uuid, text, text, text) IS 'Returns the whole held deposit to the customer before an invoice exists: {refundCents, way (null for several methods), customer}.';

COMMENT ON FUNCTION "internal"."refund_payment"(uuid, integer, text[], text, text, text) IS 'Returns a part or all of a payment of a paid invoice, or the price of chosen jobs or lines, with a credit note of the same sum: {refundCents, taxCents, creditNoteId, customer}.';

COMMENT ON FUNCTION "internal"."refuse_close"(date) IS 'Refuses (TT110) to close a day that lies in the future, is closed, comes before a closed day, comes after a day that must be closed first, or has no lines to close.';

COMMENT ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) IS 'Refuses (TT104) a deposit that the shop did not request, that was paid before, that is zero, or that exceeds the requested amount.';

COMMENT ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) IS 'Refuses (TT102) a payment of a voided invoice, of zero, or above the balance.';

COMMENT ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) IS 'Removes the deposit from an invoice that became void, so that the shop holds the deposit for the next invoice of the estimate.';

COMMENT ON FUNCTION "internal"."remove_sample_week"() IS 'Deletes the sample week and all records that were added to it, and no other records. Real bookings in its bays move to other bays.';

COMMENT ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) IS 'Requests the replacement invoice for a reversed amount, at most for the balance.';

COMMENT ON FUNCTION "internal"."require_command"() IS 'Refuses a change by a signed-in person outside a command of the server, because the command requires the step-up (docs/product.md 6.8). A request to the data service cannot set shop.command.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'The amount of a failed refund that no later refund of its credit note returned, at most the overpayment of the invoice: a check that the bank returned meanwhile lowers it. 0 for another line.';

COMMENT ON FUNCTION "internal"."retry_refund"(uuid, text, text) IS 'Repeats a failed refund by the method of the payment or by another one, without a further credit note: {refundCents}.';

COMMENT ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) IS 'Returns a part or all of a held deposit to the customer, by the method of its payment or by another one. A job refunds an online card payment.';

COMMENT ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) IS 'Returns a part or all of a payment to the customer, by its method or by another one. The result is the reduction of the paid amount: after the last part, cash rounding is reversed too.';

COMMENT ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) IS 'Divides an amount, at most the rest that can be credited, between the chosen parts of an invoice (all parts without a choice) and their tax, in proportion by largest remainder. An invoice without known parts counts as one part without a key.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The current name of the person who did something at an instant; the username for an instant before the account existed, when several people shared it.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'To whom a booking is assigned, for the calling technician: own (a task is assigned to them, or the bay names them), unassigned (no task is assigned and the bay names nobody) or other.';

COMMENT ON FUNCTION "internal"."unpaid_invoices"() IS 'The outstanding invoices with the amounts of invoice_paid_cents and invoice_balance_cents, for lists and sums of many invoices.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Prevents that Stripe is notified of a reversed payment; false when Stripe knows the payment already, or must know it for a later refund.';

COMMENT ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) IS 'Requests a deposit of an estimate: an amount, a share of the approved amount, or none (both null). Refused (TT104) when it was paid, and above the approved amount. Returns the deposit (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "public"."close_day"(jsonb) IS 'Closes a day finally and returns the id of the close: {date, startCents (of the first close only), counted, seenExpectedCents, terminalCents, checkCents, reason, note, remainsCents}. Refused (TT110) when the expected cash differs from the one that staff saw.';

COMMENT ON FUNCTION "public"."complete_own_task"(uuid) IS 'Completes a task that is assigned to the calling technician; a repeated call changes nothing.';

COMMENT ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) IS 'Reverses a held deposit of the counter that was recorded with a wrong method or amount, and records it correctly: {heldCents}.';

COMMENT ON FUNCTION "public"."correct_invoice_price"(text, integer, text) IS 'Lowers the balance of an open invoice by a credit note, at most to zero: {balanceCents}.';

COMMENT ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) IS 'The amounts that refund_payment would return and credit, with the tax (contracts/invoices/invoice-detail.ts); null for an unknown payment.';

COMMENT ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) IS 'The 50 latest lines of the audit before a line, with the current names, for an owner; no lines for every other role. The search finds a part of a name, an invoice number, a detail, a device or an address.';

COMMENT ON FUNCTION "public"."read_customer"(uuid) IS 'All data of a customer in one read (contracts/customers.ts), the latest 200 rows of each kind. The id of a merged duplicate returns the surviving customer.';

COMMENT ON FUNCTION "public"."read_day"(date) IS 'All data of a date in one read: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 bookings of any state, also those that began earlier (contracts/bookings/day.ts).';

COMMENT ON FUNCTION "public"."read_day_close"(date) IS 'All data about the close of one day, closed or not, in one read (contracts/payments/day-close.ts).';

COMMENT ON FUNCTION "public"."read_vehicle"(uuid) IS 'All data of a vehicle in one read (contracts/customers.ts). The id of a merged duplicate returns the surviving vehicle.';

COMMENT ON FUNCTION "public"."return_check"(uuid, text) IS 'Reverses a check that the bank did not pay: {balanceCents}. The amount that Stripe counts as paid is due on a replacement invoice.';

COMMENT ON FUNCTION "public"."return_deposit_check"(uuid, text) IS 'Reverses a held deposit whose check the bank did not pay: {heldCents}. The customer has to pay the deposit again.';

COMMENT ON FUNCTION "public"."switch_staff_on"(uuid) IS 'Switches a staff account on again; the person can sign in as before.';

COMMENT ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) IS 'Records the deposit of an estimate at the counter, once and at most the requested amount: {paymentId, amountCents, changeCents, approvedCents, paidAt, receipt (the data of its email)}.';

COMMENT ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) IS 'Records a payment at the counter, at most the balance, and the cash that the customer gave (docs/product.md 17.3): {paymentId, amountCents, roundingCents, changeCents, balanceCents, paidAt, receipt (the data of its email)}.';

COMMENT ON FUNCTION "public"."void_invoice"(text, text) IS 'Voids an invoice that has a balance and never had a payment; refuses (TT103) every other. Its estimate can be invoiced again.';

COMMENT ON FUNCTION "public"."write_off_invoice"(text, text) IS 'Writes an invoice off, so that it is no longer outstanding; the customer can still pay it: {balanceCents}.';

COMMENT ON TABLE "internal"."code_apps" IS 'The apps that show the codes of staff accounts. The sign-in requires no code of an app that no code has confirmed.';

COMMENT ON TABLE "internal"."invoice_backfill" IS 'The progress of the backfill of older invoices from Stripe, in one row.';

COMMENT ON TABLE "internal"."online_payment_claims" IS 'Online payments that the server is about to attach to their invoice. Staff cannot take a claimed amount at the counter meanwhile. The row is deleted when the payment is in the ledger.';

COMMENT ON TABLE "internal"."owner_notices" IS 'Notices to the owner: the first is emailed immediately, later ones in one email every ten minutes. Deleted after a month; until then each cause is reported once.';

COMMENT ON TABLE "internal"."payment_page_pauses" IS 'Invoices for which staff are taking a payment: no payment page of them opens until this time.';

COMMENT ON TABLE "internal"."payment_pages" IS 'The checkout sessions of an invoice, or of the deposit of an estimate. The server writes the row before it calls Stripe, so that the shop knows every session.';

COMMENT ON TABLE "internal"."pending_sign_ins" IS 'Sign-ins whose password was right and whose code is missing. A row alone grants no access; the right code deletes the row.';

COMMENT ON TABLE "internal"."sealed_setting_changes" IS 'Which person changed which setting with a password, without the value of the setting. [append-only]';

COMMENT ON TABLE "internal"."stripe_reports" IS 'The payments and corrections that the shop has to report to Stripe: written in the transaction of the change, and reported by a job, for each invoice in this order.';

COMMENT ON TABLE "public"."audit_events" IS 'Events that the owner may have to know about later. A line has no name, address or phone number of a customer. [append-only]';

COMMENT ON TABLE "public"."cash_drawers" IS 'Cash drawers. The shop has one, at the counter.';

COMMENT ON TABLE "public"."credit_note_parts" IS 'How a credit note is divided between the jobs or lines of its invoice, so that none is credited above its price. [append-only]';

COMMENT ON TABLE "public"."credit_notes" IS 'The credits on an invoice, each with the reason that the customer reads. [append-only]';

COMMENT ON TABLE "public"."customer_notes" IS 'Internal notes of staff about a customer; customers see them in no email and on no page.';

COMMENT ON TABLE "public"."day_close_corrections" IS 'Later corrections of the counted cash of a closed day. [append-only]';

COMMENT ON TABLE "public"."invoice_events" IS 'Which person voided an invoice or wrote it off, when and why. [append-only]';

COMMENT ON TABLE "public"."merges" IS 'Merges of duplicate customers and vehicles, with the data that an unmerge needs.';

COMMENT ON TABLE "public"."payments" IS 'The ledger: one line for each amount that was received or returned for an invoice, or as the deposit of an estimate, by any method. Lines are never changed; a mistake is corrected by a further line. [append-only]';

COMMENT ON TABLE "public"."replacement_invoices" IS 'Invoices for an amount that Stripe counts as paid although the shop did not receive it. The id is the request id of the invoice.';

COMMENT ON TABLE "public"."staff_invitations" IS 'The invitations of team members: each creates one staff account, or renews the sign-in of one account.';
