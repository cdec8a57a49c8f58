import type { Page } from '@playwright/test'

type Least = { readonly widthPx: number; readonly heightPx: number }

/**
 * Returns the clickable elements that are smaller than the size `least` (WCAG 2.5.5), except links inside sentences.
 */
export const smallTargets = (page: Page, least: Least) => page.evaluate(findSmallTargets, least)

function findSmallTargets({ widthPx, heightPx }: Least): string[] {
  const controls =
    'a[href], button, summary, select, textarea, input:not([type=hidden]), [role=option], [role=tab]'
  const found = new Set<string>()
  // Nothing behind a modal dialog can be clicked, so only the dialog is measured.
  const part = document.querySelector('dialog:modal') ?? document
  for (const control of part.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility({ opacityProperty: false, visibilityProperty: true })) continue
    if (control.closest('[inert], [aria-hidden=true], .skip-link') || isInSentence(control))
      continue
    const areas = [control, ...labelsOf(control)].map((area) => area.getBoundingClientRect())
    if (areas.some(({ width, height }) => width >= widthPx - 0.5 && height >= heightPx - 0.5))
      continue
    const [{ width, height } = new DOMRect()] = areas
    if (width <= 1) continue
    const text = (control.getAttribute('aria-label') ?? control.textContent ?? '').trim()
    found.add(
      `${Math.round(width)} x ${Math.round(height)}: '${text.slice(0, 40)}' ${control.tagName.toLowerCase()}.${control.className} in ${control.parentElement?.tagName}.${control.parentElement?.className}`,
    )
  }
  return [...found]

  function labelsOf(control: HTMLElement): HTMLElement[] {
    const isBox =
      control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)
    return isBox ? [...(control.labels ?? [])] : []
  }

  /** Returns whether there is text beside the control on the same line. */
  function isInSentence(control: HTMLElement): boolean {
    if (control.tagName !== 'A' || !getComputedStyle(control).display.startsWith('inline'))
      return false
    const line = control.parentElement?.closest('p, li, dd, dt, td, span, small, div, label')
    return [...(line?.childNodes ?? [])].some(
      (beside) => beside.nodeType === Node.TEXT_NODE && /\w/.test(beside.textContent ?? ''),
    )
  }
}
