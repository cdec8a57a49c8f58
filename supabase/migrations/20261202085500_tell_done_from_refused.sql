-- What a customer's action came to was one list of words: 'cancelled' meant both that the appointment was just cancelled and
-- that the action was refused because it had been cancelled before, which sent the email of a cancellation. Done and refused
-- are different fields now, and the type refuses a word in the wrong one.

create type internal.action_outcome_fields as (done text, refused text);
create domain internal.action_outcome as internal.action_outcome_fields
  constraint action_outcome_is_done_or_refused check (num_nonnulls((value).done, (value).refused) = 1)
  constraint action_outcome_done_is_known check (
    (value).done is null or (value).done in ('moved', 'cancelled', 'taken_back', 'answered', 'explained', 'unchanged'))
  constraint action_outcome_refused_is_no_change check (
    (value).refused is null or (value).refused not in ('moved', 'taken_back', 'answered', 'explained', 'unchanged'));
comment on domain internal.action_outcome is
  'What a customer''s action came to: done (what changed; unchanged says that it was so already) or refused (why), never both.';

create function internal.action_done(change text) returns internal.action_outcome
  language sql immutable
  set search_path = ''
  return row(change, null)::internal.action_outcome_fields::internal.action_outcome;
comment on function internal.action_done(text) is 'The outcome of an action that was carried out, or had been before.';

create function internal.action_refused(reason text) returns internal.action_outcome
  language sql immutable
  set search_path = ''
  return row(null, reason)::internal.action_outcome_fields::internal.action_outcome;
comment on function internal.action_refused(text) is 'The outcome of an action that was refused.';

drop function internal.move_visit(uuid, integer, date, time);
drop function internal.cancel_visit(uuid, integer);
drop function internal.take_visit_back(uuid, integer);
drop function internal.answer_visit(uuid, integer);
drop function internal.explain_visit(uuid, text);

create function internal.move_visit(booking_id uuid, seen_sequence integer, new_date date, new_time time) returns internal.action_outcome
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- A second click, or one of an old tab that asks for what is so already.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return internal.action_done('unchanged');
  end if;
  refusal := coalesce(
    internal.visit_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  bay := internal.visit_bay(booking, new_date, new_time);
  if bay is null then
    return internal.action_refused('slot_taken');
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, kept_at = null, kept_by = null
  where id = booking.id;
  perform internal.set_booking_note(null);
  return internal.action_done('moved');
end
$$;
comment on function internal.move_visit(uuid, integer, date, time) is
  'Moves an appointment by its private page, by the rules for visitors, in one statement. Done: moved, or unchanged (it is there '
  'already). Refused: slot_taken, or a code of visit_refusal or booking_refusal.';

create function internal.cancel_visit(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
  refusal constant text := internal.visit_refusal(booking, seen_sequence, cutoff);
begin
  if refusal is not null then
    return case refusal when 'cancelled' then internal.action_done('unchanged') else internal.action_refused(refusal) end;
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  perform internal.write_state(booking, 'cancelled');
  perform internal.set_booking_note(null);
  return internal.action_done('cancelled');
end
$$;
comment on function internal.cancel_visit(uuid, integer) is
  'Cancels an appointment by its private page. Done: cancelled, or unchanged (it is already). Refused: a code of visit_refusal.';

create function internal.take_visit_back(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  refusal text;
begin
  if internal.booking_state(booking) in ('confirmed', 'pending') then
    return internal.action_done('unchanged');
  end if;
  refusal := case when booking.status = 'cancelled' then internal.take_back_refusal(booking, seen_sequence) else 'over' end;
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  perform internal.write_state(booking, coalesce((internal.last_cancellation(booking.id)).before ->> 'state', 'confirmed'));
  perform internal.set_booking_note(null);
  return internal.action_done('taken_back');
end
$$;
comment on function internal.take_visit_back(uuid, integer) is
  'Undoes a customer''s own cancellation while the time is free. Done: taken_back, or unchanged (it stands). Refused: over, or a '
  'code of take_back_refusal.';

create function internal.answer_visit(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  refusal constant text := internal.visit_refusal(booking, seen_sequence, 0);
begin
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  if booking.answered_at is not null then
    return internal.action_done('unchanged');
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  update public.bookings set answered_at = internal.current_instant() where id = booking.id;
  perform internal.set_booking_note(null);
  return internal.action_done('answered');
end
$$;
comment on function internal.answer_visit(uuid, integer) is
  'The customer will come. Done: answered, or unchanged (they said so before). Refused: a code of visit_refusal. There is no cut-off.';

create function internal.explain_visit(booking_id uuid, reason text) returns internal.action_outcome
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cancellation constant public.booking_events := internal.last_cancellation(booking_id);
  event_id bigint;
begin
  if booking.status is distinct from 'cancelled' or cancellation.source is distinct from 'customer' then
    return internal.action_refused('changed_meanwhile');
  end if;
  if exists (select from public.booking_events event
             where event.booking_id = explain_visit.booking_id and kind = 'explained' and id > cancellation.id) then
    return internal.action_done('unchanged');
  end if;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'explained', 'customer', 'customer', explain_visit.reason) returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
  return internal.action_done('explained');
end
$$;
comment on function internal.explain_visit(uuid, text) is
  'Why a customer cancelled, once for each cancellation. Done: explained, or unchanged. Refused: changed_meanwhile (the customer '
  'did not cancel it).';

grant execute on function
  internal.move_visit(uuid, integer, date, time), internal.cancel_visit(uuid, integer), internal.take_visit_back(uuid, integer),
  internal.answer_visit(uuid, integer), internal.explain_visit(uuid, text)
to shop_server;
