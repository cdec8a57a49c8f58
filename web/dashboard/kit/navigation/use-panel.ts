import { useNavigate } from '@tanstack/react-router'

type Name = 'panel' | 'booking' | 'move' | 'book' | 'bay' | 'status' | 'note'
type Panel = { readonly [name in Name]?: string | undefined }

/** Opens and closes panels over a page. An open panel is part of the address: a link opens it, and Back closes it. */
export function usePanel() {
  const navigate = useNavigate()
  const change = (change: (now: Panel) => Panel, replace: boolean) =>
    void navigate({ to: '.', search: change, replace, resetScroll: false })
  return {
    open: (panel: Panel) => change((now) => ({ ...now, ...panel }), false),
    /** Shows another record in the open panel. */
    replace: (panel: Panel) => change((now) => ({ ...now, ...panel }), true),
    /**
     * Closes the panel with these parameters, unless another one is open by now. Not by going back: a navigation that
     * follows at once would be undone by it.
     */
    close: (panel: Panel) => change((now) => withoutPanel(now, panel), true),
  }
}

function withoutPanel(now: Panel, panel: Panel): Panel {
  const closed = Object.entries(panel)
  const current = new Map(Object.entries(now))
  if (closed.some(([name, value]) => current.get(name) !== value)) return now
  return { ...now, ...Object.fromEntries(closed.map(([name]) => [name, undefined])) }
}
