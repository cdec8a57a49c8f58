-- The day shows who said that they will come.

create or replace function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_since', booking.state_since,
    'will_come', booking.answered_at is not null,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'shop_note', booking.shop_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.misfits where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );
