/** Asks the user whether to discard unsaved changes. `go` leaves the page without asking again. */
type Question = (go: () => void) => void

let held: { readonly address: string; readonly confirm: Question } | undefined

const address = () => window.location.pathname + window.location.search

/** Navigates. While a page with unsaved changes is open, the user is asked first. */
export function navigateAfterConfirm(go: () => void): void {
  if (!held) return go()
  held.confirm(() => {
    held = undefined
    go()
  })
}

/**
 * Handles Back and Forward, and has to run before the new address is read. The browser has already left a guarded page;
 * this function restores its address and asks the user.
 */
export function guardBackNavigation(): void {
  if (!held || address() === held.address) return
  history.pushState(null, '', held.address)
  navigateAfterConfirm(() => history.back())
}

/**
 * Guards a page with unsaved changes until the returned function is called: navigation inside the dashboard asks the
 * user with `confirm`, and closing or reloading the tab shows the browser's own dialog.
 */
export function guardPage(confirm: Question): () => void {
  const mine = { address: address(), confirm }
  held = mine
  const guardUnload = (event: BeforeUnloadEvent) => {
    if (held === mine) event.preventDefault()
  }
  window.addEventListener('beforeunload', guardUnload)
  return () => {
    if (held === mine) held = undefined
    window.removeEventListener('beforeunload', guardUnload)
  }
}
