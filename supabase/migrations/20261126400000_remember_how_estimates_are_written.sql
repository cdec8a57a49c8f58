-- How estimates are written is a section of the settings: each change of it is a line that stays.

alter table public.settings_history
  drop constraint settings_history_section_check,
  add constraint settings_history_section_check
    check (section in ('shop', 'rules', 'hours', 'closures', 'bays', 'services', 'team', 'estimates'));
insert into public.settings_versions (section) values ('estimates');

create trigger record_setting after insert or update or delete on public.estimate_rules
  for each row execute function internal.record_setting('estimates');
create trigger record_setting after insert or update or delete on public.tax_rates
  for each row execute function internal.record_setting('estimates', 'effective_from');
-- What is in a kept job changes while estimates are written; only its name is a setting.
create trigger record_setting after insert or delete or update of title on public.kept_jobs
  for each row execute function internal.record_setting('estimates', 'title');

create function public.rename_kept_job(kept_id uuid, new_title text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  update public.kept_jobs
  set title = trim(new_title), job = jsonb_set(job, '{title}', to_jsonb(trim(new_title)))
  where id = kept_id;
  if not found then
    raise exception 'This job is not kept any more.' using errcode = 'TT071', hint = 'kept_job_not_found';
  end if;
end
$$;
comment on function public.rename_kept_job(uuid, text) is
  'Gives a kept job another name; estimates that use it stay as they are. Two of one name are refused (kept_jobs_title_key).';
grant execute on function public.rename_kept_job(uuid, text) to authenticated;
