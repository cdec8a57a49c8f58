import type { Page } from './fixtures.ts'

/**
 * Returns the causes that make the page unreadable (WCAG 1.4.4 and 1.4.10): elements that make the page wider than the
 * window, and text that is outside of the window or cut off by a box. A named region, such as the grid of a day, may
 * scroll separately.
 */
export const unreadableText = (page: Page) => page.evaluate(findUnreadableText)

function findUnreadableText(): string[] {
  const slackPx = 2
  const { scrollWidth, clientWidth } = document.documentElement
  const found = new Set<string>()
  if (scrollWidth > clientWidth) found.add(`${scrollWidth - clientWidth} px wider than the window`)
  const textNodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (textNodes.nextNode()) {
    const text = textNodes.currentNode.textContent?.trim() ?? ''
    const holder = textNodes.currentNode.parentElement
    // Drawings cut off text on purpose, so this check ignores the text in them.
    if (
      !text ||
      holder?.closest('svg') ||
      !holder?.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    ) {
      continue
    }
    const range = document.createRange()
    range.selectNodeContents(textNodes.currentNode)
    const { width, ...rect } = range.getBoundingClientRect().toJSON() as DOMRect
    const fault = width > 0 && faultOf(holder, rect)
    if (fault) found.add(`${fault}: '${text.slice(0, 40)}' in ${nameOf(holder)}`)
  }
  return [...found]

  function faultOf(holder: Element, text: Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>) {
    let scrollsSideways = false
    let scrolls = false
    // Only the containing block of a positioned element can cut off this element.
    let positioned = ''
    for (let box: Element | null = holder; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      const holds = style.position !== 'static' || style.transform !== 'none'
      if (positioned === 'fixed' || (positioned === 'absolute' && !holds)) continue
      positioned = ['absolute', 'fixed'].includes(style.position) ? style.position : ''
      const edges = box.getBoundingClientRect()
      // Ignores text for screen readers only, and text in drawings.
      if (
        edges.width <= 1 ||
        style.clipPath !== 'none' ||
        box.getAttribute('aria-hidden') === 'true'
      )
        return undefined
      if (box instanceof SVGElement || style.display === 'inline') continue
      const sticksOut = text.left < edges.left - slackPx || text.right > edges.right + slackPx
      const isCutBelow = text.top < edges.top - slackPx || text.bottom > edges.bottom + slackPx
      if (/hidden|clip/.test(style.overflowX) && sticksOut && !scrollsSideways)
        return `cut off at the side by ${nameOf(box)}`
      if (/hidden|clip/.test(style.overflowY) && isCutBelow && !scrolls)
        return `cut off below by ${nameOf(box)}`
      if (/auto|scroll/.test(style.overflowX) && box.scrollWidth > box.clientWidth + 1) {
        if (!box.hasAttribute('aria-label') && !box.hasAttribute('aria-labelledby'))
          return `scrolls sideways in ${nameOf(box)} without a name`
        scrollsSideways = true
      }
      if (/auto|scroll/.test(style.overflowY)) scrolls = true
    }
    const isOutside = text.left < -slackPx || text.right > clientWidth + slackPx
    if (isOutside && !scrollsSideways) return 'outside of the window'
    const isOutOfReach = text.top < -slackPx || text.bottom > innerHeight + slackPx
    return positioned === 'fixed' && isOutOfReach && !scrolls ? 'out of reach' : undefined
  }

  function nameOf({ tagName, id, classList }: Element): string {
    const names = [...classList].map((name) => `.${name}`).join('')
    return tagName.toLowerCase() + (id && `#${id}`) + names
  }
}
