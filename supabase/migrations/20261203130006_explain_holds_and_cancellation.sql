-- Comments only: why a booking waits for confirmation, what the cancellation by a customer does, and the codes of refusals.

comment on column public.bookings.flagged_reasons is
  'Why the booking waits for confirmation: what looked automated about its form, many_open_bookings, or the cap that was '
  'reached (45_holds.sql). Empty for an ordinary booking.';

comment on column public.bookings.held_until is
  'Until when a flagged booking keeps its time while it waits for confirmation by its email address or staff; null for every '
  'other booking.';

comment on function internal.cancel_booking_by_customer(uuid, integer) is
  'A customer cancels the appointment on its private page. Its time is free for others, booking_events names the customer, and '
  'the customer counts as notified (reset_notification). Done: cancelled, or unchanged (it is already). '
  'Refused: a code of customer_change_refusal, such as after the cut-off of booking_rules.';

comment on function internal.customer_change_refusal(public.bookings, integer, integer) is
  'Why a customer may not change an appointment of which they saw this calendar_sequence: gone, cancelled, over, not_confirmed (a '
  'hold waits for its click), version_conflict, too_close (the cut-off has passed); null when they may.';

comment on function internal.undo_cancellation_refusal(public.bookings, integer) is
  'Why a customer may not take a cancelled appointment back: not_yours (the shop cancelled it), version_conflict, over, too_close, '
  'outside_hours, slot_taken, too_many (five others are open); null when they may.';

comment on function internal.save_cancellation_reason(uuid, text) is
  'Why a customer cancelled, once for each cancellation. Done: reason_saved, or unchanged. Refused: version_conflict (the customer '
  'did not cancel it).';

comment on function internal.decide_estimate(uuid, text, uuid[], text, text, boolean) is
  'The customer''s answer: the jobs that are approved, all others that wait for an answer are declined. approved, declined, or why '
  'not: unchanged (it was answered), version_conflict (another revision than was shown), expired, closed (it has its invoice).';

comment on column public.emails.status is
  'queued: not tried yet; retrying: tried and failed, will be tried again; sent: accepted by the mail server; '
  'in_outbox: no mail server is set, the message lies in the outbox folder; failed: given up, someone has to call.';
