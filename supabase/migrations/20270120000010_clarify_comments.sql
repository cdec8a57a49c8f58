-- States in comments of tables, columns and functions which record, address or version they mean.
set local search_path = pg_catalog;

set local check_function_bodies = off;

COMMENT ON COLUMN "internal"."admin_sessions"."network_address" IS 'The IP address from which the person signed in; null for a session that started before this column existed.';

COMMENT ON COLUMN "internal"."admin_sessions"."user_id" IS 'The id of the user in the auth service. The column has no foreign key, because the auth service owns the table of its users.';

COMMENT ON COLUMN "internal"."calendar_feed"."renewed_at" IS 'When the current URL of the feed was created; earlier URLs no longer work.';

COMMENT ON COLUMN "internal"."calendar_feed"."token" IS 'The secret at the end of the URL: 256 random bits as base64url. It is stored in plain text, because the dashboard shows the owner the URL again, for example for another device.';

COMMENT ON COLUMN "internal"."commands"."user_id" IS 'The id of the staff account''s user in the auth service. The column has no foreign key, because the auth service owns the table of its users.';

COMMENT ON COLUMN "internal"."form_origins"."address_digest" IS 'The digest of the client''s IP address; null if the data service does not know the IP address.';

COMMENT ON COLUMN "internal"."form_origins"."booking_id" IS 'The booking that the form created. The column has no foreign key, because the same transaction inserts this row first and the booking later. When the booking is deleted, the trigger forget_form_origin deletes this row, or empties all its columns except the digest of a valid token.';

COMMENT ON COLUMN "internal"."secrets"."inner_key" IS 'The inner key of HMAC (RFC 2104), computed from the column value when the row is written.';

COMMENT ON COLUMN "internal"."secrets"."outer_key" IS 'The outer key of HMAC (RFC 2104), computed from the column value when the row is written.';

COMMENT ON COLUMN "internal"."sign_in_codes"."user_id" IS 'The id of the user in the auth service. The column has no foreign key, because the auth service owns the table of its users.';

COMMENT ON COLUMN "internal"."visitor_emails"."address_digest" IS 'The digest of the IP address of the client that sent the form (form_origins.address_digest).';

COMMENT ON COLUMN "public"."audit_events"."network_address" IS 'The IP address of the sign-in; 30 days later, the IP address is replaced by its network (IPv4 /24 or IPv6 /48).';

COMMENT ON COLUMN "public"."audit_events"."role" IS 'The role of the staff account user_id at the time of the event.';

COMMENT ON COLUMN "public"."booking_events"."after" IS 'The changed fields of internal.booking_snapshot after the change. For the kind edited, also the names of the edited fields; for the kind booked, all fields.';

COMMENT ON COLUMN "public"."booking_events"."before" IS 'The changed fields of internal.booking_snapshot before the change; null for the kind booked; all fields for the kind deleted.';

COMMENT ON COLUMN "public"."booking_events"."kind" IS 'The kind of change: booked; moved (to another date, time or bay); placed (into a bay, after the booking had no bay); extended, shortened; the kind of a change of state in internal.booking_transitions; edited (service, vehicle or contact: edited_fields); kept (staff confirmed a hold or accepted a schedule conflict); confirmed (by the link in the email), not_confirmed (the hold expired); answered (the customer confirmed that they will come), explained (the customer stated why they cancelled); relinked (new link to the visit page); changed (a change of the status that internal.booking_transitions does not list); notification_dismissed; deleted.';

COMMENT ON COLUMN "public"."booking_rules"."invoice_lookup_requires_email" IS 'Whether a customer who looks up an invoice must enter the customer''s email address in addition to the invoice number.';

COMMENT ON COLUMN "public"."bookings"."customer_email" IS 'The email address to which emails about the booking are sent; null when a customer who booked by phone has none.';

COMMENT ON COLUMN "public"."bookings"."notified_cancelled" IS 'Whether the customer knows that the booking is cancelled: the customer cancelled it, or a delivered email stated the cancellation.';

COMMENT ON COLUMN "public"."bookings"."status" IS 'The status: confirmed, arrived, in_work, no_show, cancelled, not_confirmed (an expired hold) or another text of up to 30 characters that staff set as the status. Bookings with no_show, cancelled or not_confirmed do not occupy their time. The column completed_at records the completion.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_at" IS 'When the email address was confirmed as the customer''s: staff entered it or pressed ''Use this address'', or the customer confirmed it. Null for an email address that was only typed online.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_by_name" IS 'The person who confirmed the email address: a staff username, or ''customer''; null if staff entered the email address themselves.';

COMMENT ON COLUMN "public"."customers"."created_at" IS 'The time of the customer''s earliest booking, quote request or estimate.';

COMMENT ON COLUMN "public"."customers"."email" IS 'The main email address; earlier email addresses are in customer_contact_methods.';

COMMENT ON COLUMN "public"."customers"."name" IS 'The name from the customer''s first booking, quote request or estimate; staff can change the name.';

COMMENT ON COLUMN "public"."emails"."resend_count" IS 'The number of times that the admin sent the email again. For the mail server, each resent email is a new message.';

COMMENT ON COLUMN "public"."estimate_events"."kind" IS 'The kind of change: details_changed (of the same customer and vehicle); customer_changed, vehicle_changed (approvals become void); address_changed (the email address changed, and the link in earlier emails became invalid); relinked (staff created a new link); repair_declined, reassembly_declined (the customer declined the repair or the reassembly after a tear-down).';

COMMENT ON COLUMN "public"."estimate_lines"."unit_price_cents" IS 'The price of one hour or piece in cents; for a discount, the amount of the discount.';

COMMENT ON COLUMN "public"."estimate_revisions"."sent_to" IS 'The email address to which the revision was last sent.';

COMMENT ON COLUMN "public"."estimates"."link_version" IS 'The version of the link to the page on which the customer approves the estimate; incrementing it makes earlier links invalid.';

COMMENT ON COLUMN "public"."estimates"."payer_reference" IS 'The number of the insurance claim at the payer, or of the payer''s own estimate.';

COMMENT ON COLUMN "public"."replacement_invoices"."invoice_id" IS 'The replacement invoice; null until Stripe has created it. Until then the amount is due on the replaced invoice.';

COMMENT ON COLUMN "public"."replacement_invoices"."reversal_id" IS 'The ledger line that reduced the paid amount of the replaced invoice.';

COMMENT ON COLUMN "public"."shop"."latitude" IS 'The latitude of the shop in degrees (WGS 84). The map is centered on latitude and longitude. Null if the position of the street address is unknown.';

COMMENT ON COLUMN "public"."shop"."phone" IS 'The shop''s main phone number in E.164 format; domain/customers/phone-number.ts formats it for display.';

COMMENT ON COLUMN "public"."shop"."street" IS 'The street of the registered address; its other parts are the columns city, state, postal_code and country (ISO 3166-1 alpha-2).';

COMMENT ON COLUMN "public"."shop"."time_zone" IS 'The IANA name of the shop''s time zone. Every date and time of a booking is wall-clock time in this zone.';

COMMENT ON COLUMN "public"."staff_accounts"."email" IS 'The email address, in lower case, to which invitations and notices are sent; null for an account that was created on the server''s command line.';

COMMENT ON COLUMN "public"."staff_accounts"."employee_id" IS 'The employee to whom this person''s tasks are assigned; null for an account that the first start of the site or the server''s command line created.';

COMMENT ON COLUMN "public"."staff_accounts"."user_id" IS 'The id of the person''s user in the auth service. The column has no foreign key, because the auth service owns the table of its users.';

COMMENT ON FUNCTION "internal"."accept_booking"() IS 'Checks a booking that the website or the data service inserts. Refuses a booking that breaks a rule, and assigns the first free bay. If the trigger has the argument ''visitor'', also flags a form that looks automated, and holds a flagged booking.';

COMMENT ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) IS 'Creates the staff account of an open invitation, with the name, email address and role of the invitation; returns false if the invitation is no longer open. An account with a password has no role until the person has set up an authenticator app.';

COMMENT ON FUNCTION "internal"."add_contact_methods"(uuid, text, text, boolean) IS 'Adds an email address and a phone number to a customer''s contact methods. is_confirmed is false for an email address that a visitor typed online and nobody confirmed.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note with its share of the sales tax and of the parts of the invoice, and adds the row from which a job reports the credit note to Stripe. Refuses (TT103) a credit note that exceeds the invoice.';

COMMENT ON FUNCTION "internal"."address_digest"(jsonb) IS 'The digest of the client''s IP address in request headers; null if the headers contain no IP address.';

COMMENT ON FUNCTION "internal"."address_question_state"(public.bookings) IS 'The state of the email in which the site asks a customer whether the email address typed in a booking is theirs. open: the customer can answer; answered: the customer has answered; closed: the booking is not active, the address is confirmed, or 30 days have passed.';

COMMENT ON FUNCTION "internal"."address_token"(uuid) IS 'The token in the link by which a customer confirms the email address of a booking; null if the booking does not exist.';

COMMENT ON FUNCTION "internal"."addresses_to_ask"(integer) IS 'The bookings in which an unconfirmed email address was typed under the name of a customer who has another email address. Each booking is returned with that other address. The site sends an email to the other address and asks whether the unconfirmed address also belongs to the customer.';

COMMENT ON FUNCTION "internal"."allow_only_shorter_addresses"() IS 'Lets internal.clean_audit replace an IP address by its network, and refuses every other change (TT055).';

COMMENT ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) IS 'Pays the new invoice of an estimate with the deposit of the same estimate; the part that exceeds the invoice is returned by the method of the payment.';

COMMENT ON FUNCTION "internal"."begin_settings_change"(text, integer) IS 'Starts a change of a settings section by the admin: refuses an outdated version of the section (TT051) and locks the calendar, so that no visitor can book until the change is saved.';

COMMENT ON FUNCTION "internal"."clean_audit"() IS 'Replaces the IP addresses in audit lines older than 30 days by their networks, and deletes audit lines older than three years. Records the number of deleted lines in the audit log and returns this number.';

COMMENT ON FUNCTION "internal"."clear_old_position"() IS 'Clears latitude and longitude if the street address changes without a new latitude and longitude, because the stored ones belong to the old address.';

COMMENT ON FUNCTION "internal"."confirm_email"(uuid, text, text) IS 'Confirms an email address of a customer. If the customer has no main email address, the confirmed one becomes the main one. The caller must have locked the email address and the customer.';

COMMENT ON FUNCTION "internal"."correct_customer"(public.bookings, public.bookings) IS 'Copies the edited contact of a booking to the record of its customer, and to the customer''s other open bookings and draft estimates that still contain the contact from before the edit.';

COMMENT ON FUNCTION "internal"."correct_drafts"(public.bookings, public.bookings) IS 'Copies the edited contact of a booking to those estimates of its customer that were never sent and still contain the contact from before the edit.';

COMMENT ON FUNCTION "internal"."correct_vehicle"(public.bookings, public.bookings, text) IS 'Saves the corrected year, make and model of a booking in the record of its vehicle and in the vehicle''s other open bookings that have the same text as this booking before the edit.';

COMMENT ON FUNCTION "internal"."count_customer_records"(uuid) IS 'The numbers of a customer''s bookings, quote requests, estimates, invoices, vehicles, emails and notes.';

COMMENT ON FUNCTION "internal"."customer_change_refusal"(public.bookings, integer, integer) IS 'The reason why a customer may not change a booking: gone (deleted), cancelled, over (the vehicle has arrived or the start is past), not_confirmed (held), version_conflict (the booking no longer has the calendar_sequence that the customer''s page showed), too_close (past the cut-off). Null if the customer may change the booking.';

COMMENT ON FUNCTION "internal"."customer_totals"(uuid, date) IS 'The totals on the dashboard page of a customer: the numbers of bookings, no-shows, emails and open estimates, and the paid and open amounts of the invoices.';

COMMENT ON FUNCTION "internal"."database_role_of"(uuid, uuid) IS 'The PostgreSQL role with which the data service runs the requests of a data session (a session of the data service): shop_technician at a shared tablet; null for a user without an active staff account, and for a user who must first set up an authenticator app.';

COMMENT ON FUNCTION "internal"."decide_estimate"(uuid, text, uuid[], text, text, boolean) IS 'Records the decision that the customer made on the web page of the estimate: the given jobs are approved, all other undecided jobs are declined. Returns approved or declined, or the reason why nothing was recorded: unchanged (decided before), version_conflict (the page showed another revision), expired, closed (invoiced).';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'After a split, deletes those contact methods of the original customer that the new customer also has, unless a remaining record of the original customer contains them.';

COMMENT ON FUNCTION "internal"."describe_claim"(public.estimate_invoices) IS 'The content of the invoice that a claim (a row of estimate_invoices) is for: the customer, and the billed jobs as they were frozen.';

COMMENT ON FUNCTION "internal"."describe_customer_booking"(public.bookings) IS 'A booking for the list on the dashboard page of its customer; startsAt is wall-clock time at the shop.';

COMMENT ON FUNCTION "internal"."describe_customer_estimate"(public.estimates) IS 'An estimate for the list on the dashboard page of its customer: the first job, the number of jobs, the total, and the declined jobs.';

COMMENT ON FUNCTION "internal"."describe_invoice_lines"(text) IS 'The ledger lines of an invoice, oldest first, for the dashboard page of the invoice.';

COMMENT ON FUNCTION "internal"."describe_invoice_records"(text[]) IS 'The data of invoices for the accountant''s files, by their Stripe ids: the name of the customer on the invoice, whether the customer was erased, the estimate, and the amounts of its lines by kind (discounts are negative; null without an estimate). Also the credit notes, the paid amount, the balance, and the business date of the last payment that was not returned. For a replacement invoice also the number of the replaced invoice.';

COMMENT ON FUNCTION "internal"."describe_replacements"(text) IS 'The replacement invoices of an invoice (invoiceId is null until the invoice was created), and the invoice that the given invoice itself replaces.';

COMMENT ON FUNCTION "internal"."digests_of_address"(text) IS 'The digests of the IP address of a client and of the client''s networks. If the text is not an IP address, all requests with the same text count as one client.';

COMMENT ON FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid) IS 'The email address for an estimate of a booking, a quote request or a customer: the email address in the booking or quote request if it is the customer''s, otherwise the customer''s main email address; null when there is neither.';

COMMENT ON FUNCTION "internal"."email_of_bookings"(uuid[]) IS 'The email address for a group of bookings: the address in the latest active booking, if it is the customer''s own, otherwise the customer''s main email address; null when there is neither.';

COMMENT ON FUNCTION "internal"."estimate_link_version"(uuid) IS 'The current version of the link to an estimate; null if the estimate does not exist.';

COMMENT ON FUNCTION "internal"."estimate_token"(uuid) IS 'The token in the URL of the page on which a customer sees an estimate; null if the estimate does not exist.';

COMMENT ON FUNCTION "internal"."fill_search_text"() IS 'Computes the column search_text; a value for this column in the insert or update statement is ignored.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. A booking, quote request or estimate without an email address also matches the only customer with the number, under any name. With an email address that no customer has, a customer with another email address matches only if the name fits no other customer with the number.';

COMMENT ON FUNCTION "internal"."find_or_create_customer"(internal.customer_details) IS 'Returns the customer to whom a booking, quote request or estimate with these details belongs, and creates the customer if none matches.';

COMMENT ON FUNCTION "internal"."find_or_create_vehicle"(uuid, internal.vehicle_details, timestamp with time zone, boolean) IS 'The customer''s vehicle that a booking, quote request or estimate describes, created if it is new; null when no vehicle is described.';

COMMENT ON FUNCTION "internal"."find_same_vehicle"(uuid, public.vehicles) IS 'Finds another row of a customer''s vehicles that describes the same vehicle as the given row (docs/product.md 16.2); null if there is none.';

COMMENT ON FUNCTION "internal"."find_vehicle"(uuid, internal.vehicle_details) IS 'The customer''s vehicle that a booking, quote request or estimate describes, by VIN, plate, or year, make and model; null when the customer has no such vehicle.';

COMMENT ON FUNCTION "internal"."follow_task"() IS 'Changes the state of a booking when its tasks change: to in_work when a task is started, and back to the former state when the only started task is set to pending again or is deleted while in progress. Notifies open dashboards, because the state of the vehicle depends on tasks.';

COMMENT ON FUNCTION "internal"."forget_form_origin"() IS 'Calls forget_form_origins for a deleted booking or quote request.';

COMMENT ON FUNCTION "internal"."forget_form_origins"(uuid[]) IS 'Deletes the rows of form_origins for the given bookings and quote requests. If the form had a valid token, the row is kept with only the digest of the token, so that the token still counts as used.';

COMMENT ON FUNCTION "internal"."hand_over_booking"(public.bookings) IS 'Links a booking, whose contact was edited, and its draft estimates to the customer with that contact, and makes the links invalid that the previous customer of the booking received. Refused (TT076) once an estimate of the booking was sent or decided.';

COMMENT ON FUNCTION "internal"."hand_over_drafts"(public.bookings) IS 'Writes the contact of a booking that was transferred to another customer into its estimates, so that none of them is sent to the customer who had the booking before. These estimates are always drafts: a booking with a sent estimate cannot be transferred.';

COMMENT ON FUNCTION "internal"."is_refund_waiting"(public.payments) IS 'Whether a refund of the same invoice, made after this payment, still has to be reported to Stripe. Stripe accepts the refund only after the invoice is paid there.';

COMMENT ON FUNCTION "internal"."latest_cash"(date) IS 'The latest payment, refund or movement of cash on a day; null if there is none. The page of the day close shows this payment, refund or movement if the expected cash changes while staff count.';

COMMENT ON FUNCTION "internal"."limit_data_sessions"() IS 'Sets the expiry of the data sessions and their refresh tokens to the time at which their dashboard session ends.';

COMMENT ON FUNCTION "internal"."link_described_vehicle"(public.bookings, public.bookings, text) IS 'Links an edited booking to that vehicle of the customer which the fields of the booking and the license plate describe. If the edit corrects the description, the function changes the record of the booking''s vehicle, unless the customer has another vehicle with that description.';

COMMENT ON FUNCTION "internal"."link_token"(uuid, text) IS 'The token at the end of a link for a customer: the id of the record and the first half of the HMAC of the message (the second argument), as base64url. server/features/visit-page computes the same token.';

COMMENT ON FUNCTION "internal"."list_customer_emails"(uuid) IS 'All emails about the bookings, quote requests, estimates and invoices of a customer, and all other emails to the customer''s email addresses that are about none of these.';

COMMENT ON FUNCTION "internal"."list_customer_records"(date, date, timestamp with time zone, uuid, integer) IS 'A page of the customers with a booking, quote request, invoice, payment or email from one date to another (inclusive), in the order of their creation. The page begins after the last customer of the previous page. Each row contains the number of appointments and the invoiced cents of that period.';

COMMENT ON FUNCTION "internal"."list_declined_jobs"(uuid) IS 'The jobs of an estimate that the customer declined in the latest decision: [{title, cents, decidedAt}].';

COMMENT ON FUNCTION "internal"."list_stale_invoice_claims"(integer) IS 'The claims (rows of estimate_invoices) that are unfinished for longer than the given time, probably because the process crashed before Stripe created the invoice: at most 20, oldest first.';

COMMENT ON FUNCTION "internal"."list_taken_times"(uuid, date, time without time zone[]) IS 'The given times (those that a visit page shows) that another booking occupies now.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'Returns a payment at the counter, or an applied deposit, of which no part was returned, so that it can be corrected. Locks the invoice of the payment, and the invoice to which the correction moves it. Refuses (TT103) every other ledger line.';

COMMENT ON FUNCTION "internal"."log_corrected_record"() IS 'Records a correction of a customer or vehicle in the history of each estimate of that customer or vehicle that has an approval and is not invoiced.';

COMMENT ON FUNCTION "internal"."mark_tablet_data_sessions"() IS 'Restricts the data sessions of a person at a shared tablet to the rights of a technician, until the dashboard session at the tablet ends.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge: the email address of the customer whose email address staff chose. If only the other customer has an email address, that one is used, unless it was typed online and never confirmed.';

COMMENT ON FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid) IS 'The bays that are open for the whole booking and can do the service (all open bays if the service is null). is_on_grid states whether the start is one of the regular start times of the bay.';

COMMENT ON FUNCTION "internal"."open_deposit_page"(uuid, integer) IS 'Records that a payment page for a deposit is about to open: {pageId, amountCents, number (of the estimate), openSessions (the ids of its open Stripe Checkout Sessions), customer}; null when no deposit has to be paid.';

COMMENT ON FUNCTION "internal"."own_email"(public.bookings) IS 'The email address of a booking; null if the booking has none, or if its email address is unconfirmed (internal.unconfirmed_email).';

COMMENT ON FUNCTION "internal"."payments_of_day"(date) IS 'The payments in the currency USD on a business date, with amounts in cents: {receivedCents (payments minus returned amounts), payments, refunds, methods [{method, cents}]}.';

COMMENT ON FUNCTION "internal"."prevent_billed_job_change"() IS 'Prevents changes and deletions of the jobs of an invoice while the invoice has a row in estimate_invoices.';

COMMENT ON FUNCTION "internal"."prevent_claim_change"() IS 'Allows only two changes of a claim (a row of estimate_invoices): from claimed to made (with the invoice that Stripe created) or failed, and from made to voided. Refuses every other update.';

COMMENT ON FUNCTION "internal"."publish_customer_change"() IS 'Notifies all processes that the data on the dashboard page of a customer changed (channel customers_changed, with the customer''s id). If a change affects two customers, the notification contains both ids.';

COMMENT ON FUNCTION "internal"."raise_record_retained"(timestamp with time zone) IS 'Refuses (TT076) to delete a record whose retention of three years began at the given instant and has not ended. The detail of the error contains the last day of the retention.';

COMMENT ON FUNCTION "internal"."read_address_question"(uuid) IS 'The data of the page on which a customer confirms the email address of a booking: {state, email, date, time}; null if the booking does not exist.';

COMMENT ON FUNCTION "internal"."read_sent_deposit"(uuid) IS 'The deposit of an estimate, as shown to the customer on the page of the estimate.';

COMMENT ON FUNCTION "internal"."read_visit_page"(uuid) IS 'The data of a booking''s visit page, in shop time (server/features/visit-page/read-visit-page.ts); null if the booking does not exist.';

COMMENT ON FUNCTION "internal"."read_visit_page_repair"(uuid) IS 'The repair on a booking''s visit page: the latest sent estimate with the URL path of its page, the tasks with their notes for the customer, and the invoice. The title of a task is shown only if it is the title of a job in an estimate that was sent to the customer.';

COMMENT ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) IS 'Reverses a card payment that the customer''s bank took back, at most the remaining amount of the payment; the reversed amount is then due on a replacement invoice. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_missing_invoice"(text) IS 'Marks an invoice as void because it no longer exists at Stripe.';

COMMENT ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) IS 'Records that a replacement invoice exists: the replaced amount is then due on the replacement invoice instead of the replaced one.';

COMMENT ON FUNCTION "internal"."record_sealed_setting_change"() IS 'Adds a line to the history of an encrypted setting and to the audit log, and notifies all processes (channel settings_changed).';

COMMENT ON FUNCTION "internal"."record_settings_change"() IS 'Records a change of a setting in settings_history, increments the version of its section and notifies all processes (channel settings_changed). Arguments of the trigger: the section, and the column that identifies the row.';

COMMENT ON FUNCTION "internal"."refund_payment"(uuid, integer, text[], text, text, text) IS 'Returns a part or all of a payment of a paid invoice, or the price of the given jobs or lines, with a credit note of the same sum: {refundCents, taxCents, creditNoteId, customer}.';

COMMENT ON FUNCTION "internal"."refuse_self_merge"(uuid, uuid) IS 'Refuses (TT091) to merge a customer or vehicle with itself or with one that does not exist.';

COMMENT ON FUNCTION "internal"."renew_links"(uuid, uuid) IS 'Makes all earlier links to a booking and to its estimates invalid; for an estimate without a booking, the earlier links to this estimate.';

COMMENT ON FUNCTION "internal"."retained_until"(timestamp with time zone) IS 'The last day of the retention of a record from the given instant: three years later (BPC 9884.11).';

COMMENT ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) IS 'Returns a part or all of a held deposit to the customer, by the payment method of the deposit or by another one. If the deposit was paid online by card, a job refunds it at Stripe later.';

COMMENT ON FUNCTION "internal"."sent_revision_misdirected_reason"(uuid, text) IS 'The reason why an email with an estimate must not be sent to the given email address; null if it is the email address in the estimate.';

COMMENT ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) IS 'Divides an amount between the given parts of an invoice (all parts if part_keys is null) and their tax, in proportion to their prices, by the largest remainder method. The amount is limited to the rest that can still be credited. An invoice without known parts counts as one part without a key.';

COMMENT ON FUNCTION "internal"."shop_now"() IS 'The wall-clock time at the shop, independent of the time zone of the database connection.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'The assignment of a booking as the calling technician sees it: own (one of its tasks is assigned to this technician, or this technician works in its bay), unassigned (none of its tasks is assigned to anybody, and its bay has no technician) or other.';

COMMENT ON FUNCTION "internal"."unconfirmed_email"(public.bookings) IS 'The email address of a booking if a visitor typed it online and it is not the customer''s (internal.is_their_email); null otherwise.';

COMMENT ON FUNCTION "internal"."undo_cancellation_by_customer"(uuid, integer) IS 'Undoes a cancellation that the customer made, if the time is still free. Done: restored, or unchanged (the booking is not cancelled). Refused: over (the booking is neither open nor cancelled), or a code of undo_cancellation_refusal.';

COMMENT ON FUNCTION "internal"."undo_cancellation_refusal"(public.bookings, integer) IS 'The reason why a customer may not undo a cancellation: not_yours (staff cancelled it), version_conflict (the booking changed since), over (the start is past), too_close (past the cut-off), outside_hours, slot_taken, too_many (five other open bookings); null if the customer may undo it.';

COMMENT ON FUNCTION "internal"."was_taken_from_visitor"(public.estimates, uuid) IS 'Whether an estimate was sent to the email address of its booking, and staff later changed the email address of the estimate. The visit page, whose link was sent to the email address of the booking, then shows no link to the estimate.';

COMMENT ON FUNCTION "internal"."withdraw_answers"(public.estimates) IS 'Withdraws each decision that was made with the link to an estimate or from the email address of the estimate. The customer can then decide again on the latest sent revision.';

COMMENT ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) IS 'Confirms that the email address typed online in a booking or quote request belongs to its customer, and returns the email address. Refused (TT100) when the record is not active or the email address is invalid. A repeated call changes nothing.';

COMMENT ON FUNCTION "public"."change_estimate_email"(uuid, integer, text, text) IS 'Changes the email address of an estimate without a new revision. The reason is new_address (decisions remain valid) or wrong_recipient (decisions that were made with an earlier link are withdrawn). Refused (TT075) once the estimate is invoiced. Returns the same as save_estimate.';

COMMENT ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) IS 'Reverses a payment at the counter, or an applied deposit, that was recorded wrongly, and records it with the right invoice, method and amount. Returns {balanceCents}, the balance of the invoice on which the payment was recorded before. A corrected deposit remains applied to its invoice.';

COMMENT ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) IS 'Creates a task for each approved job that has no task yet, assigned to the given employee or, if it is null, to nobody; returns the number of new tasks.';

COMMENT ON FUNCTION "public"."find_customers"(text) IS 'Finds up to eight customers whose bookings contain the words of a search, latest booking first. Bookings with the same name and phone number count as one customer. Each row has the customer''s vehicles [{id, year, make, model, color}], last and next appointment, and numbers of appointments and no-shows.';

COMMENT ON FUNCTION "public"."forms_sent_by"(jsonb) IS 'The forms that the sender of a request sent in the last 15 minutes: forms with the same form token, and forms without a token from the same IP address. The server functions send confirmations for these forms only.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers and returns the id of the merge; refuses outdated versions (TT051). All records of the duplicate move to the survivor, and equal vehicles are merged. A read with the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) lists the values that replace those of the survivor; the other email address and phone number remain contact methods.';

COMMENT ON FUNCTION "public"."order_bays"(uuid[], integer) IS 'Saves the order of all bays; refuses an outdated version of the settings section ''bays'' (TT051).';

COMMENT ON FUNCTION "public"."order_services"(uuid[], integer) IS 'Saves the order of all services and returns the new version of the settings section ''services''; refuses an outdated version (TT051).';

COMMENT ON FUNCTION "public"."queue_quote_reply"(jsonb, jsonb) IS 'Adds the admin''s reply to a quote request to the outbox and to the log of replies, only once for each dedupe_key; returns the id of the email. A failed reply is queued again. The keys of the argument message are columns of emails, those of log are columns of quote_email_logs.';

COMMENT ON FUNCTION "public"."queue_visitor_email"(jsonb, boolean) IS 'Adds an email that a visitor caused to the outbox, only once for each dedupe_key; returns null if a limit prevents the email. The keys of the argument message are columns of emails. is_capped is false only in load tests, to which the limits do not apply.';

COMMENT ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) IS 'Returns to an owner the latest 50 lines of the audit log before a given line, with the current names of people; returns no lines to other roles. The search finds a part of a name, an invoice number, a detail, a device or an IP address.';

COMMENT ON FUNCTION "public"."read_estimate_link"(uuid, boolean) IS 'For the admin: the URL path of the page on which the customer approves an estimate. If renew is true, the function creates a new path, and the earlier links to the estimate and to its booking stop working.';

COMMENT ON FUNCTION "public"."read_invoice"(text) IS 'An invoice with its ledger, credit notes, history and possible actions (contracts/invoices/invoice-detail.ts); null if the shop does not know the invoice.';

COMMENT ON FUNCTION "public"."read_visit_page_link"(uuid, boolean) IS 'For the admin: the URL path of a booking''s visit page. If renew is true, the function creates a new path, and the earlier links to the booking and to its estimates stop working.';

COMMENT ON FUNCTION "public"."record_authorization"(uuid, integer, jsonb, text, text, text, text, text, timestamp with time zone, boolean) IS 'Records decisions that a customer made in another way than on the web page of the estimate, for example by phone: [{jobKey, decision, declinedId}]. The decisions apply to the latest revision; a draft is frozen first. declinedId is the id of the refusal that an approval replaces. Returns the same as save_estimate, with batchId (authorizations.batch_id).';

COMMENT ON FUNCTION "public"."record_technician_step"(uuid, text, integer) IS 'Records that the vehicle of a booking of today has arrived, is in work or is completed, and returns the new version of the booking. The booking''s technician_assignment must be own or unassigned. Refused (TT051) when seen_version, the version that the user was looking at, is outdated.';

COMMENT ON FUNCTION "public"."save_bay"(uuid, text, boolean, uuid[], integer, boolean, text) IS 'Adds (bay_id null) or changes a bay; refuses an outdated version of the settings section ''bays'' (TT051). A bay with empty service_ids can do all services. Deactivating a bay moves its upcoming bookings; the function returns each with its new bay, or with null where no bay is free. A preview returns these bookings without saving. An empty technician removes the stored technician; null keeps the stored technician.';

COMMENT ON FUNCTION "public"."save_opening_hours"(jsonb, integer, boolean) IS 'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed) and returns the schedule conflicts after the change; refuses an outdated version of the settings section ''hours'' (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "public"."save_service"(uuid, text, text, integer, integer, boolean, uuid[], integer) IS 'Adds (service_id null) or changes a service; refuses an outdated version of the settings section ''services'' (TT051). bay_ids lists the bays that can do the service: an empty list means every bay, null means that the stored bays remain. Existing bookings keep the service''s former name, price and duration.';

COMMENT ON FUNCTION "public"."set_customer_reminders"(uuid, boolean) IS 'Saves whether a customer gets reminders. Switching reminders on also changes the duplicates that were merged into the customer; switching them off does not.';

COMMENT ON FUNCTION "public"."visit_page_token"(uuid) IS 'The token in the URL of a booking''s visit page, signed as in server/features/visit-page; null if the booking does not exist.';

COMMENT ON FUNCTION "stripe_sandbox"."forget_invoices"(text[]) IS 'Deletes invoices with these numbers from the sandbox, with their items, payments, Checkout Sessions, refunds and events, and customers who have no other invoice; returns the ids of the deleted events.';

COMMENT ON TABLE "internal"."calendar_feed" IS 'The secret URL of the owner''s calendar feed; no row while the feed is off.';

COMMENT ON TABLE "internal"."form_origins" IS 'The origin of a visitor''s form: digests of its form token, of the client''s IP address and of the client''s networks. A row is kept for 25 hours, because a form token is valid for 24 hours and for one form only. A token counts as used even after its booking or quote request is deleted.';

COMMENT ON TABLE "internal"."payment_page_pauses" IS 'The invoices for which staff are recording a payment at the counter. The payment page of such an invoice cannot be opened until the time in the column until.';

COMMENT ON TABLE "internal"."rate_limits" IS 'The counters of the rate limits that all processes of the site share. A key is a keyed hash of the limit''s name and of the client, so that no IP address is stored.';

COMMENT ON TABLE "internal"."tablet_data_sessions" IS 'The sessions of the data service (data sessions) that people started at a shared tablet. A row is deleted a day after its session has ended. Until then the row prevents an access token that an owner received at a tablet from granting the rights of an owner.';

COMMENT ON TABLE "internal"."visitor_emails" IS 'The emails that visitors caused, also emails that a limit prevented. Rows are deleted after two days. Email addresses and IP addresses are stored only as digests.';

COMMENT ON TABLE "public"."audit_events" IS 'The audit log: events that the owner may have to check later. A line contains no name, email address or phone number of a customer. [append-only]';

COMMENT ON TABLE "public"."customer_notes" IS 'Internal notes of staff about a customer; no email and no page shows them to customers.';

COMMENT ON TABLE "public"."settings_versions" IS 'The version of each settings section. Each change in the section increments the version; a request that saves the section contains the version that its page has read.';

COMMENT ON TABLE "public"."shop" IS 'Name, street address, phone numbers, email addresses and texts of the shop, in one row; shown on pages and in emails, invoices and calendar files.';

COMMENT ON TYPE "internal"."client_digests" IS 'The digests of the IP address of a client (an IPv4 address or an IPv6 /64) and of the networks to which it belongs (IPv6 /56 and /48, IPv4 /24). The digests identify the client without storing its IP address; null if the IP address is unknown. is_limited is false in the shop''s own load tests, to which the limits do not apply.';

COMMENT ON TYPE "internal"."customer_details" IS 'The name and contacts in a booking, quote request or estimate, by which the database finds the customer. is_trusted: the booking, quote request or estimate does not look automated and is active. entered_online: a visitor entered the details, possibly with the email address of another person.';

COMMENT ON VIEW "public"."technician_bays" IS 'The bays for technicians, with their open times of today (shop time).';

COMMENT ON VIEW "public"."technician_bookings" IS 'Today''s bookings (shop time) for technicians: the time, bay, vehicle, service and first name of the customer; for own and unassigned bookings also the notes and the plate.';
