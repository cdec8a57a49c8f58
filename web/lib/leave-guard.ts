/** Asks whether what would be lost may be; `go` leaves without asking again. */
type Question = (go: () => void) => void

let question: Question | undefined

/** Goes, or has the question asked first while a page is held. */
export function leave(go: () => void): void {
  if (!question) return go()
  question(() => {
    question = undefined
    go()
  })
}

const address = () => window.location.pathname + window.location.search

/**
 * Until the returned function is called, whatever leads away from this address within the document, Back too,
 * asks first; what leaves the document is asked by the browser.
 */
export function holdPage(ask: Question): () => void {
  question = ask
  const held = address()
  const holdBack = (event: PopStateEvent) => {
    if (question !== ask || address() === held) return
    // The browser has gone already: it is brought back before anything is drawn.
    event.stopImmediatePropagation()
    history.pushState(null, '', held)
    leave(() => history.back())
  }
  const holdDocument = (event: BeforeUnloadEvent) => {
    if (question === ask) event.preventDefault()
  }
  window.addEventListener('popstate', holdBack, { capture: true })
  window.addEventListener('beforeunload', holdDocument)
  return () => {
    if (question === ask) question = undefined
    window.removeEventListener('popstate', holdBack, { capture: true })
    window.removeEventListener('beforeunload', holdDocument)
  }
}
