import { type RefObject, useLayoutEffect } from 'react'
import { offsetAbove } from './clear-of-actions.ts'

/**
 * The CSS selector of the elements that a notification must not cover: main buttons, form actions, and the bar with the
 * status while staff drag an appointment.
 */
const actions =
  '.button, .compact-button-primary, .compact-button-strong, dialog > footer > *, .drag-banner:not(:empty)'

/** Moves a notification up while it is shown, so that it covers no important button (docs/product.md 9.8). */
export function useClearOfActions(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const element = region.current
    if (!element || !isShown) return
    const update = () => {
      // A notification does not move while it is under the pointer or has the focus.
      if (element.matches(':hover, :active, :focus-within')) return
      element.style.setProperty('--toast-clear', '0px')
      const offset = offsetAbove(element.getBoundingClientRect(), boxesAround(element))
      element.style.setProperty('--toast-clear', `${offset}px`)
    }
    let frame = 0
    const scheduleUpdate = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(update)
    }
    update()
    // The observer ignores changes of the attribute `style`, because this hook itself moves the notification by
    // changing this attribute.
    const changes = new MutationObserver(scheduleUpdate)
    changes.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['class', 'open', 'hidden'],
    })
    const stop = new AbortController()
    for (const type of ['scroll', 'resize', 'transitionend']) {
      window.addEventListener(type, scheduleUpdate, {
        capture: true,
        passive: true,
        signal: stop.signal,
      })
    }
    for (const type of ['pointerleave', 'focusout']) {
      element.addEventListener(type, scheduleUpdate, { signal: stop.signal })
    }
    return () => {
      stop.abort()
      changes.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [region, isShown])
}

/**
 * Returns the boxes of the visible buttons that the user can click. While a modal dialog is open, the buttons behind it
 * are left out.
 */
function boxesAround(region: HTMLElement): DOMRect[] {
  const reachable = region.closest('dialog:modal') ?? document.body
  return [...reachable.querySelectorAll(actions)]
    .map((action) => action.getBoundingClientRect())
    .filter(({ width, bottom, top }) => width > 0 && bottom > 0 && top < innerHeight)
}
