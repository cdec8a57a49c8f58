-- Who types 'nunez' or 'álvarez' finds Núñez and Álvarez. Without a collation: not every PostgreSQL has the same ones, and the
-- database's own may know the case of plain letters alone.

create function internal.plain(said text) returns text
  language sql immutable strict
  set search_path = ''
  -- Letters that are no plain one with a mark are named.
  return translate(lower(regexp_replace(normalize(said, nfd), '[\u0300-\u036f]+', '', 'g')), 'ŁłØøĐđ', 'lloodd');
comment on function internal.plain(text) is 'A text as it is compared: in lower case and without accents, ''nunez'' of ''Núñez''.';

create function internal.fill_search_text() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.search_text := internal.plain(
    new.customer_name || ' ' || coalesce(new.customer_email, '') || ' ' || new.customer_phone || ' '
    || regexp_replace(new.customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(new.vehicle_year, '') || ' ' || coalesce(new.vehicle_make, '') || ' ' || coalesce(new.vehicle_model, ''));
  return new;
end
$$;
comment on function internal.fill_search_text() is 'Writes what the search looks through, whatever its writer says.';

-- No new expression: the view of misfits, which whole functions return, would have to go with the column.
alter table public.bookings alter column search_text drop expression, alter column search_text set default '';
alter table public.bookings disable trigger user;
update public.bookings set search_text = internal.plain(search_text) where search_text <> internal.plain(search_text);
alter table public.bookings enable trigger user;
create trigger fill_search_text before insert or update on public.bookings
  for each row execute function internal.fill_search_text();
comment on column public.bookings.search_text is 'What the dashboard''s search looks through (internal.plain).';

create or replace function internal.search_words(search text) returns text[]
  language sql immutable
  set search_path = ''
  return
    case
      when search ~ '^[0-9 ().+-]+$' and length(regexp_replace(search, '[^0-9]', '', 'g')) >= 3
        then array[regexp_replace(search, '[^0-9]', '', 'g')]
      else array_remove(regexp_split_to_array(internal.plain(left(search, 100)), '\s+'), '')
    end;
comment on function internal.search_words(text) is
  'What to look for, as it is compared: the digits of a phone number as one word, else every word.';
