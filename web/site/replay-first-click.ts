/**
 * Stores a click on a button that happens before the page's code is loaded, as on a slow phone. The button shows
 * `aria-busy`, and `again` repeats the last click. If the code fails to load, `release` removes `aria-busy` and stops
 * storing clicks. Links, fields, popovers and forms with an `action` work without the code, so their clicks are not
 * stored.
 */
export function replayFirstClick() {
  let pressed: HTMLButtonElement | undefined

  function storeClick(event: MouseEvent) {
    const button =
      event.target instanceof Element
        ? event.target.closest('button:not([popovertarget], form[action] *)')
        : null
    if (!(button instanceof HTMLButtonElement)) return
    event.preventDefault()
    event.stopPropagation()
    pressed?.removeAttribute('aria-busy')
    pressed = button
    pressed.ariaBusy = 'true'
  }
  document.addEventListener('click', storeClick, { capture: true })

  function release() {
    document.removeEventListener('click', storeClick, { capture: true })
    pressed?.removeAttribute('aria-busy')
  }
  function again() {
    release()
    // Repeats the click in a microtask: by then, React has rendered the input that a form restores, so the click
    // submits the restored input.
    queueMicrotask(() => pressed?.click())
  }
  return { again, release }
}
