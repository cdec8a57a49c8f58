-- Text that people type: the characters that a single line may contain, the comparison of email addresses and phone
-- numbers, and the search for words regardless of accents and case.

create extension if not exists pg_trgm with schema extensions;

-- The two padded keys of HMAC (RFC 2104) depend only on the secret, so generated columns store them.
create function internal.hmac_pad(secret text, pad integer) returns bytea
  language plpgsql immutable strict set search_path = '' as $$
declare
  key bytea := convert_to(secret, 'UTF8');
  padded bytea := decode(repeat(to_hex(pad), 64), 'hex');
begin
  if length(key) > 64 then
    key := sha256(key);
  end if;
  for place in 0 .. length(key) - 1 loop
    padded := set_byte(padded, place, get_byte(padded, place) # get_byte(key, place));
  end loop;
  return padded;
end
$$;
comment on function internal.hmac_pad(text, integer) is 'The inner (pad 54) or the outer (pad 92) key of HMAC with SHA-256.';
-- The role that writes internal.secrets needs this grant, because generated columns are computed with the privileges of
-- that role.
grant execute on function internal.hmac_pad(text, integer) to shop_server;

create function internal.hmac_sha256(message text, secret text) returns bytea
  language plpgsql immutable strict set search_path = '' as $$
begin
  return sha256(internal.hmac_pad(secret, 92) || sha256(internal.hmac_pad(secret, 54) || convert_to(message, 'UTF8')));
end
$$;
comment on function internal.hmac_sha256(text, text) is 'HMAC (RFC 2104) with the built-in SHA-256, because some servers lack pgcrypto.';

create function internal.link_token(record_id uuid, message text) returns text
  language sql stable set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(record_id::text, '-', ''), 'hex') || substring(internal.hmac_sha256(message, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets where name = 'visit_key'
  );
comment on function internal.link_token(uuid, text) is
  'The token at the end of a link for a customer: the id of the record and the first half of the HMAC of the message '
  '(the second argument), as base64url. server/features/visit-page computes the same token.';

create function internal.normalize_mailbox(email text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Only a text with characters other than ASCII is normalized: NFKC does not change ASCII and is the slowest step.
  spelled constant text := lower(case when octet_length(email) = length(email) then email else normalize(email, nfkc) end);
  host constant text := split_part(spelled, '@', -1);
  local_part constant text := left(spelled, -1 - length(host));
  name constant text := coalesce(nullif(split_part(local_part, '+', 1), ''), local_part);
begin
  return case
    when position('@' in spelled) = 0 then null
    when rtrim(host, '.') in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- A Proton account receives email at all of these domains (https://proton.me/support/addresses-and-aliases).
    when rtrim(host, '.') in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || rtrim(host, '.')
  end;
end
$$;
comment on function internal.normalize_mailbox(text) is
  'Normalizes an email address, so that all addresses of one mailbox become the same text. Ignores case, full-width '
  'forms and +tags, ignores dots in Gmail addresses, and treats all domains of Proton as one.';
-- Every role that writes an indexed row needs this grant, because indexes are updated with the privileges of the role
-- that writes the row.
grant execute on function internal.normalize_mailbox(text) to anon, authenticated;

-- Written in plpgsql, because PostgreSQL would plan an SQL function in an index, check or generated column again for
-- each insert.
create function internal.normalize_phone(phone text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Extracts the digits faster than a regular expression: the inner translate returns all characters that are not
  -- digits, and the outer translate removes these characters.
  digits constant text := translate(phone, translate(phone, '0123456789', ''), '');
begin
  return case
    when length(digits) = 11 and digits like '1%' then right(digits, 10)
    when length(digits) >= 7 then digits
  end;
end
$$;
comment on function internal.normalize_phone(text) is
  'The digits of a phone number without the country code 1; null for fewer than seven digits.';
grant execute on function internal.normalize_phone(text) to anon, authenticated;

create function internal.search_condition(word text) returns text
  language sql immutable set search_path = ''
  return
    case
      -- One or two letters occur somewhere in nearly every row, so a word of this length matches only the beginning of
      -- a word.
      when length(word) < 3 then format(
        '(search_text like %1$L or search_text like %2$L)',
        regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%',
        '% ' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      )
      else format('search_text like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    end;
comment on function internal.search_condition(text) is
  'Returns an SQL condition that is true if the column search_text contains the searched word. A searched word of one '
  'or two letters must be at the beginning of a word of search_text.';

create function internal.search_words(search text) returns text[]
  language sql immutable set search_path = ''
  return
    case
      when search ~ '^[0-9 ().+-]+$' and length(regexp_replace(search, '[^0-9]', '', 'g')) >= 3
        then array[regexp_replace(search, '[^0-9]', '', 'g')]
      else array_remove(regexp_split_to_array(internal.normalize_search_text(left(search, 100)), '\s+'), '')
    end;
comment on function internal.search_words(text) is
  'The words of a search, normalized like search_text; a phone number becomes one word of digits.';

create function internal.is_plain_text(value text) returns boolean
  -- Strict, so that PostgreSQL does not call the function for null.
  language plpgsql immutable strict set search_path = '' as $$
begin
  return value !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]';
end
$$;
comment on function internal.is_plain_text(text) is
  'Whether a text of several lines has no control characters except line ends and tabs, and no characters that change the text direction.';
-- A role that writes a column whose check constraint calls this function needs this grant, because check constraints
-- run with the privileges of the role that writes the row.
grant execute on function internal.is_plain_text(text) to anon, authenticated;

create function internal.is_single_line_text(value text, fewest integer, most integer) returns boolean
  -- Strict, so that PostgreSQL does not call the function for null.
  language plpgsql immutable strict set search_path = '' as $$
begin
  return length(value) <= most and length(trim(value)) >= fewest
    and value !~ '[[:cntrl:]\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;
comment on function internal.is_single_line_text(text, integer, integer) is
  'Whether a text is one line with a permitted number of characters and no invisible characters; the same rule as domain/text/text-input.ts.';
-- A role that writes a column whose check constraint calls this function needs this grant, because check constraints
-- run with the privileges of the role that writes the row.
grant execute on function internal.is_single_line_text(text, integer, integer) to authenticated, shop_server;

create function internal.is_email_address(value text) returns boolean
  language sql immutable set search_path = ''
  return internal.is_single_line_text(value, 3, 254) and value ~ '^[^@[:space:]<>",;]+@[^@[:space:]<>",;]+$';
comment on function internal.is_email_address(text) is 'Whether the text has the form of an email address.';
grant execute on function internal.is_email_address(text) to authenticated, shop_server;

create function internal.are_https_urls(links text[]) returns boolean
  language sql immutable set search_path = ''
  return cardinality(links) <= 10
    and coalesce((select bool_and(coalesce(internal.is_single_line_text(link, 12, 300) and link ~ '^https://[^[:space:]<>"]+$', false))
      from unnest(links) link), true);
comment on function internal.are_https_urls(text[]) is 'Whether the list contains at most ten URLs, each of which begins with https.';
grant execute on function internal.are_https_urls(text[]) to authenticated;

create function internal.normalize_search_text(said text) returns text
  language plpgsql immutable strict set search_path = '' as $$
begin
  return translate(lower(regexp_replace(normalize(said, nfd), '[\u0300-\u036f]+', '', 'g')), 'ŁłØøĐđ', 'lloodd');
end
$$;
comment on function internal.normalize_search_text(text) is
  'Returns a text in lower case without accents, so that ''nunez'' finds ''Núñez''.';

create function internal.mail_host_of(mailbox text) returns text
  language sql immutable strict set search_path = ''
  return substring(mailbox from '@([^@]*)$');
comment on function internal.mail_host_of(text) is 'The host of a mailbox: the part after the @.';
-- Every role that writes an indexed row needs this grant, because indexes are updated with the privileges of the role
-- that writes the row.
grant execute on function internal.mail_host_of(text) to authenticated;

create function internal.shows_every_character(variadic texts text[]) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return array_to_string(texts, '')
    !~ '[[:cntrl:]\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;
comment on function internal.shows_every_character(text[]) is
  'Whether texts have no control characters, no invisible characters and no characters that change the text '
  'direction. Null counts as valid.';
-- A role that writes a column whose check constraint calls this function needs this grant, because check constraints
-- run with the privileges of the role that writes the row.
grant execute on function internal.shows_every_character(text[]) to anon, authenticated;
