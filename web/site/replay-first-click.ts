/**
 * Keeps a press on a button that comes before the code that answers it, as on a slow phone: the button
 * shows it (`aria-busy`), and `again` presses it again; of several, the last. `release` is for code that does
 * not come. Links, fields, forms that the server answers and what the browser opens by itself work without.
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
    // A form that takes over what was typed before has rendered it by then.
    queueMicrotask(() => pressed?.click())
  }
  return { again, release }
}
