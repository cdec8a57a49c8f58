import { useLayoutEffect, useMemo, useRef, type RefObject } from 'react'
import type { Autosave } from './estimate-autosave.ts'
import type { EstimateFormActions } from './estimate-form-actions.ts'

/** What the parts of a sheet can do; the focus is moved once what it is to go to is drawn. */
export function useEstimateFormActions(
  editing: Autosave,
  root: RefObject<HTMLElement | null>,
  laborRate: string,
): EstimateFormActions {
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current !== undefined) wanted.current = focusCell(root.current, wanted.current)
  })
  return useMemo(
    () => ({
      change: editing.change,
      focus(cell) {
        // What is there already is not drawn again for it.
        wanted.current = focusCell(root.current, cell)
      },
      laborRate,
    }),
    [editing, root, laborRate],
  )
}

/** Gives the focus to a cell; returns it when it is not there yet. */
function focusCell(root: HTMLElement | null, cell: string): string | undefined {
  const element = root?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(cell)}"]`)
  if (!element) return cell
  element.focus()
  if (element instanceof HTMLInputElement && element.type === 'text') element.select()
  return undefined
}
