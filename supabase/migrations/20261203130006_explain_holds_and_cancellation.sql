-- Comments only: why a booking waits for confirmation, and what the cancellation by a customer does.

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
