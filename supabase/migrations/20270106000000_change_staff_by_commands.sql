-- Signed-in owners change staff accounts and invitations only by commands, which ask for the step-up.

create function internal.require_command() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- The setting `role` is the role of the request, even inside a security definer function.
  if current_setting('role', true) in ('authenticated', 'shop_owner', 'shop_advisor', 'shop_technician')
     and coalesce(current_setting('shop.command', true), '') = '' then
    raise exception 'Staff accounts and invitations are changed by commands of the dashboard.' using errcode = '42501';
  end if;
  return null;
end
$$;
comment on function internal.require_command() is
  'Refuses a change by somebody who is signed in outside a command of the server, which asks for the step-up (docs/product.md 6.8). A '
  'request to the data service cannot set shop.command.';
create trigger require_command before update on public.staff_accounts for each statement execute function internal.require_command();
create trigger require_command before insert or update on public.staff_invitations
  for each statement execute function internal.require_command();
