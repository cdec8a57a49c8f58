-- The dashboard's search, as quick among a hundred thousand appointments as among a hundred: `like all (array)`
-- reads every row, since PostgreSQL uses a trigram index only for patterns that it sees one by one.

create extension if not exists pg_trgm with schema extensions;

-- A short list of what is new keeps the search from reading a long one; the shop books seldom, and searches often.
create index bookings_by_search_text on public.bookings
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create function internal.search_condition(word text) returns text
  language sql immutable
  set search_path = ''
  return
    case
      -- One or two letters are in nearly every row; at the beginning of a word they are what somebody means.
      when length(word) < 3 then format(
        '(search_text like %1$L or search_text like %2$L)',
        regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%',
        '% ' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      )
      else format('search_text like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    end;
comment on function internal.search_condition(text) is
  'SQL that holds where search_text has the word; of one or two letters, where a word begins with them.';

create function internal.search_words(search text) returns text[]
  language sql immutable
  set search_path = ''
  return
    case
      when search ~ '^[0-9 ().+-]+$' and length(regexp_replace(search, '[^0-9]', '', 'g')) >= 3
        then array[regexp_replace(search, '[^0-9]', '', 'g')]
      else array_remove(regexp_split_to_array(lower(left(search, 100)), '\s+'), '')
    end;
comment on function internal.search_words(text) is
  'What to look for, in lower case: the digits of a phone number as one word, else every word.';

create or replace function public.find_bookings(search text) returns setof public.bookings
  language plpgsql stable
  -- As the owner: row-level security lets no index serve an operator that it cannot vouch for, `like` among them.
  security definer
  set search_path = ''
as $$
declare
  conditions constant text := (
    select string_agg(internal.search_condition(word), ' and ') from unnest(internal.search_words(search)) as word
  );
begin
  if not internal.is_admin() then
    return;
  end if;
  return query execute 'select * from public.bookings where ' || coalesce(conditions, 'true');
end
$$;
comment on function public.find_bookings(text) is
  'Appointments that hold every word of the search, for the admin; a phone number is looked for by its digits.';
