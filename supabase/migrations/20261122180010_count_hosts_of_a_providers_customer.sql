-- A provider's customer who has a host of the own name there gets the mail to every name at it: that host is as rare
-- as a domain of one's own.
create or replace function internal.rare_domain_of(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select case when not is_provider then owner when host <> owner then host end
  from substring(mailbox from '@(.*)$') as host,
    substring(mailbox from '@(?:.*\.)?([^.@]+\.(?:[a-z]{2,3}\.[a-z]{2}|[^.@]+))$') as owner,
    lateral (select owner ~ any (array[
      '^(gmail|outlook|hotmail|live|msn|yahoo|ymail|rocketmail|icloud|me|mac|aol|proton|protonmail|pm|gmx|mail|zoho|fastmail)\.',
      '^(comcast|att|sbcglobal|verizon|cox|charter|earthlink|pacbell|bellsouth|optonline|spectrum)\.net$'
    ]) as is_provider) as kind
$$;
comment on function internal.rare_domain_of(text) is
  'The domain whose owner runs the mailbox, without hosts below it; of a provider that everybody is with, a customer''s '
  'host below it; null for its own domain.';
