-- On 'Change time' a time that somebody else took between two steps vanished from the list without a word.

create function internal.list_taken_times(booking_id uuid, day date, shown time[]) returns setof time
  language sql stable
  security definer
  set search_path = ''
as $$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_visit_times(list_taken_times.booking_id, day))
    -- What the rules refuse by now was not taken by anybody.
    and internal.booking_refusal(day, wanted, booking.duration_minutes, booking.service_id) is null
  order by 1
$$;
comment on function internal.list_taken_times(uuid, date, time[]) is
  'Which of the times that the page of an appointment showed somebody else has taken since.';
grant execute on function internal.list_taken_times(uuid, date, time[]) to shop_server;
