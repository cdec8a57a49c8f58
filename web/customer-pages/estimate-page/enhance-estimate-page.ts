import { enhancePage as enhanceVisitPage } from '#web/customer-pages/visit-page/enhance-visit-page.ts'
import { depositCents } from '#domain/estimates/deposit-sum.ts'
import '#web/ui/badge/badge.css'
import './estimate.css'

/*
 * The script of the estimate page; the page also works without it. The script updates the total when the customer
 * chooses or removes a job, and reports to the shop that the customer has seen the estimate. The report requires input
 * by pointer or keyboard, because a mail program may open the link of an email and run the scripts of the page.
 */

/** Adds the event listeners to the server-rendered page. Calls `onAwake` when the page responds to input. */
export function enhancePage(face: Promise<FontFace | undefined>, onAwake: () => void): void {
  enhanceVisitPage(face, onAwake)
  const form = document.querySelector<HTMLFormElement>('[data-estimate]')
  const shown = form?.querySelector<HTMLInputElement>('[data-shown]')
  if (!form || !shown) return
  form.addEventListener('change', () => show(form, shown))
  // After a reload, the browser may have restored the customer's earlier choices, which the total must include.
  show(form, shown)
  reportSeenOnce(form)
}

const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)
const isChosen = (input: HTMLInputElement) => input.checked && input.dataset['adds'] !== undefined

function show(form: HTMLFormElement, shown: HTMLInputElement) {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[type=radio]')]
  const chosen = inputs.filter(isChosen)
  const cents = chosen.reduce(
    (sum, { dataset }) => sum + Number(dataset['adds']),
    Number(shown.dataset['shown']),
  )
  shown.value = String(cents)
  const amount = inDollars(cents)
  const on = new Set(chosen.map(({ name }) => name))
  const off = new Set(inputs.map(({ name }) => name).filter((name) => !on.has(name)))
  showJobs(off)
  for (const each of all('[data-total]')) each.textContent = amount
  for (const approval of all('[data-approve]')) {
    approval.hidden = on.size === 0
    const button = approval.querySelector('button')
    if (button) button.textContent = approveText(cents)
  }
  for (const link of all('[data-decline]')) {
    link.textContent = on.size === 0 ? 'Decline' : 'Decline everything'
  }
}

/**
 * Updates the displayed deposit, if the estimate requests a deposit, and returns the label of the button that approves
 * the estimate.
 */
function approveText(cents: number): string {
  const [deposit] = all('[data-deposit]')
  if (!deposit) return `Approve ${inDollars(cents)}`
  const { deposit: sum, share } = deposit.dataset
  const asked = {
    amountCents: sum ? Number(sum) : null,
    sharePercent: share ? Number(share) : null,
  }
  const now = depositCents(asked, cents)
  for (const each of all('[data-deposit-now]')) each.textContent = inDollars(now)
  for (const each of all('[data-deposit-rest]')) each.textContent = inDollars(cents - now)
  return `Approve and pay ${inDollars(now)}`
}

/**
 * Updates the rows of the jobs. A row without `data-on` does not change, because the customer decided about its job in
 * an earlier submission.
 */
function showJobs(off: ReadonlySet<string>) {
  const rows = [...all('[data-job]')]
  for (const { dataset, classList, lastElementChild: cell } of rows) {
    if (dataset['job'] === undefined || !(cell instanceof HTMLElement)) continue
    if (cell.dataset['on'] === undefined) continue
    const isOff = off.has(dataset['job'])
    classList.toggle('estimate-off', isOff)
    cell.textContent = cell.dataset[isOff ? 'off' : 'on'] ?? ''
  }
  const wanted = rows.filter(({ classList }) => !classList.contains('estimate-off')).length
  for (const each of all('[data-count]')) {
    each.textContent = `${wanted} of ${rows.length} ${rows.length === 1 ? 'job' : 'jobs'}`
  }
}

const inDollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

const gestures = ['pointerdown', 'keydown', 'touchstart'] as const

/** Reports once, at the first real input of a user, that the customer has seen the estimate. */
function reportSeenOnce(form: HTMLFormElement) {
  const reportSeen = ({ isTrusted }: Event) => {
    if (!isTrusted) return
    for (const kind of gestures) removeEventListener(kind, reportSeen)
    const revision = form.querySelector<HTMLInputElement>('[name=revision]')?.value ?? ''
    void fetch(`${form.dataset['estimate']}/seen`, {
      method: 'POST',
      body: new URLSearchParams({ revision: revision }),
      keepalive: true,
    }).catch(() => undefined)
  }
  for (const kind of gestures) addEventListener(kind, reportSeen, { passive: true })
}
