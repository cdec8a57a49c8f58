import { expect, type Page, type Shop } from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/**
 * Deletes all estimates. Only the superuser can delete the customers' authorizations, and only by bypassing their
 * triggers.
 */
export async function clearEstimates(shop: Shop): Promise<void> {
  await shop.database.query(
    truncateTables('public.estimates', 'public.canned_jobs', 'public.tasks'),
  )
}

/**
 * Restores the shop for other tests. First leaves the open page, because that page would request the deleted estimate.
 */
export async function resetEstimates(shop: Shop, page: Page): Promise<void> {
  await page.goto('about:blank')
  await clearEstimates(shop)
}

/** Creates an empty estimate and waits for its form. */
export async function newEstimate(page: Page): Promise<void> {
  await page.goto('/admin-dashboard/invoices')
  await page.getByRole('button', { name: 'New estimate' }).click()
  await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
}

/** The total of all jobs. */
export const total = (page: Page) =>
  page
    .getByRole('term')
    .filter({ hasText: /^(All \d+ jobs|One job)$/ })
    .locator('..')

/** Returns the note with which the page confirms that all changes are saved. */
export const saved = (page: Page) => page.getByText(/^saved \d/)

type Job = { readonly title: string; readonly cents: number; readonly isNeeded?: boolean }

/** Inserts a draft estimate whose jobs have one line each; returns its id. */
export async function addEstimate(
  shop: Shop,
  {
    customer = 'Maria Delgado',
    email = '',
    odometerMiles = 71_506,
    jobs,
  }: {
    customer?: string
    email?: string
    odometerMiles?: number | null
    jobs: readonly Job[]
  },
): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `with estimate as (
       insert into estimates (customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate, odometer_miles, changed_by)
       values ($1, $5, '(650) 555-0167', '2019', 'Subaru', 'Outback', '8KLM204', $6, 'admin') returning id
     ), revision as (
       insert into estimate_revisions (estimate_id, revision, good_until, tax_rate)
       select id, 1, current_date + 14, 91250 from estimate
     ), job as (
       insert into estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now)
       select estimate.id, 1, gen_random_uuid(), place, title, 'In plain words.', needed
       from estimate, unnest($2::text[], $3::boolean[]) with ordinality given (title, needed, place)
       returning job_key, estimate_id, position, title
     ), line as (
       insert into estimate_lines (estimate_id, revision, job_key, position, kind, description, quantity_thousandths, unit_price_cents, is_taxable)
       select estimate_id, 1, job_key, 1, 'labor', title, 1000, ($4::integer[])[position], false from job
     )
     select id from estimate`,
    [
      customer,
      jobs.map(({ title }) => title),
      jobs.map(({ isNeeded = true }) => isNeeded),
      jobs.map(({ cents }) => cents),
      email,
      odometerMiles,
    ],
  )
  return rows[0]?.id ?? ''
}

/** Opens the page of an estimate in the dashboard. */
export async function openEstimate(page: Page, id: string): Promise<void> {
  await page.goto(`/admin-dashboard/estimates/${id}`)
  await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
}
