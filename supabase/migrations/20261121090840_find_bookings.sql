-- The dashboard's search. A function, so that the name or number searched for travels in the body of a
-- request and never in an address.
create function public.find_bookings(search text) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select *
  from public.bookings
  where search_text like all (
    array(
      select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      from unnest(
        case
          when find_bookings.search ~ '^[0-9 ().+-]+$'
               and length(regexp_replace(find_bookings.search, '[^0-9]', '', 'g')) >= 3
            then array[regexp_replace(find_bookings.search, '[^0-9]', '', 'g')]
          else regexp_split_to_array(lower(trim(left(find_bookings.search, 100))), '\s+')
        end
      ) as word
    )
  )
$$;
comment on function public.find_bookings(text) is
  'Appointments that hold every word of the search; a phone number is looked for by its digits.';
grant execute on function public.find_bookings(text) to authenticated;
