/** Asks whether what would be lost may be; `go` leaves without asking again. */
type Question = (go: () => void) => void

let held: { readonly address: string; readonly confirm: Question } | undefined

const address = () => window.location.pathname + window.location.search

/** Goes, or has the question asked first while a page is held. */
export function navigateAfterConfirm(go: () => void): void {
  if (!held) return go()
  held.confirm(() => {
    held = undefined
    go()
  })
}

/**
 * To be called by whoever follows Back and Forward, before looking where they led: from a page that is held the
 * browser has gone already, is brought back to it, and the question is asked.
 */
export function guardBackNavigation(): void {
  if (!held || address() === held.address) return
  history.pushState(null, '', held.address)
  navigateAfterConfirm(() => history.back())
}

/**
 * Until the returned function is called, whatever leads away from this address within the document asks first; what
 * leaves the document is asked by the browser.
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
