const landings = 'section, article, [role="tabpanel"], main, dialog'
const headings = 'h1, h2, h3, h4'

/**
 * Restores a lost keyboard focus. When a button is disabled while its action runs, or is removed with its record, the
 * focus moves to `<body>`: keyboard users start at the top of the page again, and a screen reader reads nothing. When
 * the button is enabled again, it gets the focus back. When the button was removed, the heading of its section gets the
 * focus. If the user has moved the focus to another element, the focus stays there.
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
    // Checks the focus after a timeout, because the browser removes the element only after `focusout`.
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
