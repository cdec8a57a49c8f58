const landings = 'section, article, [role="tabpanel"], main, dialog'
const headings = 'h1, h2, h3, h4'

/**
 * Gives the keyboard its place back. A button that is disabled while it works, or that goes with what it
 * acted on, would leave the focus nowhere: back at the top for a keyboard, silence for a screen reader.
 * An enabled button gets it again; for what is gone, the heading of the part it stood in gets it.
 * Whoever moves the focus elsewhere, or away on purpose, is left alone.
 */
export function keepFocus(): void {
  let last: HTMLElement | undefined
  let around: Element[] = []

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    last = target
    around = ancestorsOf(target)
  })
  document.addEventListener('focusout', ({ target }) => {
    // Later: only then is it known whether the element has just gone.
    setTimeout(() => {
      if (target === last && isUsable(last) && isNowhere()) last = undefined
    })
  })
  new MutationObserver(() => {
    if (!last || !isNowhere()) return
    if (!last.isConnected) landNear(around)
    else if (isUsable(last)) last.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}

const isNowhere = () => document.activeElement === document.body && document.hasFocus()

const isUsable = (element: HTMLElement | undefined) =>
  element !== undefined && element.isConnected && !element.matches(':disabled')

function ancestorsOf(element: Element): Element[] {
  const parent = element.parentElement
  return parent ? [parent, ...ancestorsOf(parent)] : []
}

function landNear(around: readonly Element[]): void {
  const part = around.find((element) => element.isConnected && element.matches(landings))
  const heading = (part ?? document).querySelector<HTMLElement>(headings)
  const landing = heading ?? document.querySelector<HTMLElement>('main')
  if (!landing) return
  landing.tabIndex = -1
  landing.focus({ preventScroll: true })
}
