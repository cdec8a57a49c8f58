-- A customer's cancelled appointment does not come back on a day that was closed since.

create or replace function internal.take_back_refusal(booking public.bookings, seen_sequence integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.visit_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'changed_meanwhile'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    -- Whoever closed the shop meanwhile did not see this one in the way; what staff put outside the hours they saw.
    when booking.bay_id is not null and booking.kept_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.bay_to_return_to(booking) is null then 'slot_taken'
  end;
end
$$;
comment on function internal.take_back_refusal(public.bookings, integer) is
  'Why a customer may not take a cancelled appointment back: not_yours (the shop cancelled it), changed_meanwhile, over, too_close, '
  'outside_hours (closed since), slot_taken; null when they may.';
