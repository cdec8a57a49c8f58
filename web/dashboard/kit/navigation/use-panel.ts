import { useNavigate } from '@tanstack/react-router'

type Name = 'panel' | 'booking' | 'move' | 'book' | 'bay'
type Panel = { readonly [name in Name]?: string | undefined }

/** Opens and closes panels over a page. An open panel is part of the address: a link opens it, and Back closes it. */
export function usePanel() {
  const navigate = useNavigate()
  const change = (panel: Panel, replace: boolean) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...panel }), replace })
  return {
    open: (panel: Panel) => change(panel, false),
    /** Shows another record in the open panel. */
    replace: (panel: Panel) => change(panel, true),
    // Not by going back: a navigation that follows at once would be undone by it.
    close: (...names: readonly Name[]) =>
      change(Object.fromEntries(names.map((name) => [name, undefined])), true),
  }
}
