import '#web/ui/field/field.css'
import '#web/site/features/booking/time/date-picker.css'
import '#web/site/features/booking/time/available-times.css'
import '#web/site/features/booking/time/choose-time.css'
import { openDirections } from '#web/lib/browser/directions.ts'
import { applyWebFont } from '#web/lib/browser/apply-web-font.ts'
import { type MonthMove, moveByKey } from './calendar-keys.ts'
import './visit.css'

/*
 * The script of the visit page; the page also works without it. The script shows a selected day or time without a
 * reload, and arrow keys move the focus between days. Dialogs replace the separate pages that ask for confirmation. No
 * form can be sent twice.
 */

/**
 * Sends the form with `fetch` and replaces the content of the page with the response. If `fetch` fails, submits the
 * form without the script, so that the browser shows the error.
 */
function pick(form: HTMLFormElement, button: HTMLButtonElement) {
  return swap(form, button).catch(() => {
    form.removeAttribute('data-swap')
    form.requestSubmit(button)
  })
}

/**
 * After the customer selected a day, a month or a time, replaces the page's `<main>` with the `<main>` of the server's
 * response, and restores the focus.
 */
async function swap(form: HTMLFormElement, button: HTMLButtonElement) {
  const address = new URL(form.action)
  address.hash = ''
  const fields = new FormData(form, button)
  for (const [name, value] of fields)
    if (typeof value === 'string') address.searchParams.set(name, value)
  const response = await fetch(address, { headers: { accept: 'text/html' } })
  if (!response.ok || response.redirected)
    throw new Error(`The page returned the status ${response.status}.`)
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  document.querySelector('main')?.replaceWith(document.adoptNode(mainOf(next)))
  document.title = next.title
  history.replaceState(null, '', address)
  focusOn(button)
}

function mainOf(page: Document): HTMLElement {
  const main = page.querySelector('main')
  if (!main) throw new Error('The page has no <main> element.')
  return main
}

/**
 * Moves the focus after the script has replaced the content of the page: to the notice, if the page has one; to the
 * times, if the customer selected a day; otherwise to the button that the customer pressed.
 */
function focusOn({ name, value }: HTMLButtonElement) {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector)
  const again = find(`button[name="${name}"][value="${value}"]:enabled`)
  const next = name === 'date' ? find('#result') : (again ?? find('#calendar-month'))
  const target = find('.visit-message#result') ?? next
  target?.focus()
}

/**
 * Adds the event listeners to the server-rendered page, then calls `onAwake`, because the page now responds to input.
 */
export function enhancePage(face: Promise<FontFace | undefined>, onAwake: () => void): void {
  void applyWebFont(face)
  document.addEventListener('submit', submit)
  document.addEventListener('click', openDialog)
  document.addEventListener('click', openDirections)
  document.addEventListener('keydown', walk)
  // A page that the browser restores from its back/forward cache may still show busy buttons, so the script reloads the
  // page.
  addEventListener('pageshow', (event) => event.persisted && location.reload())
  onAwake()
}

function submit(event: SubmitEvent) {
  const { target: form, submitter: button } = event
  if (!(form instanceof HTMLFormElement) || !(button instanceof HTMLButtonElement)) return
  if ('swap' in form.dataset) {
    event.preventDefault()
    void pick(form, button)
    return
  }
  if (form.method !== 'post') return
  if (form.dataset['sent'] !== undefined) return event.preventDefault()
  form.dataset['sent'] = ''
  showBusy(button)
}

/** Arrow keys move the focus between days; only Enter or Space selects a day. */
function walk(event: KeyboardEvent) {
  const { target: day, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (!(day instanceof HTMLButtonElement) || day.name !== 'date' || !day.form) return
  const way = moveByKey(key, day)
  if (way === undefined) return
  event.preventDefault()
  if ('day' in way) way.day?.focus()
  else void walkOn(day.form, way)
}

/** Opens the previous or next month, if the calendar offers that month, and moves the focus to a day of that month. */
async function walkOn(form: HTMLFormElement, { month, land }: MonthMove) {
  const [back, on] = form.querySelectorAll<HTMLButtonElement>('button[name="month"]')
  const button = month === 'on' ? on : back
  if (!button || button.disabled) return
  await pick(form, button)
  land(document)?.focus()
}

/** Replaces the label of the button with its busy label ('Saving…') without changing the width of the button. */
function showBusy(button: HTMLButtonElement) {
  const { busy } = button.dataset
  button.setAttribute('aria-busy', 'true')
  if (busy === undefined) return
  button.style.minWidth = `${button.offsetWidth}px`
  button.textContent = busy
}

function openDialog(event: MouseEvent) {
  if (!(event.target instanceof Element)) return
  const link = event.target.closest<HTMLElement>('[data-dialog]')
  const dialog = document.getElementById(link?.dataset['dialog'] ?? '')
  if (!(dialog instanceof HTMLDialogElement)) return
  event.preventDefault()
  dialog.showModal()
}
