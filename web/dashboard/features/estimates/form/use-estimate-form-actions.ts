import { useLayoutEffect, useMemo, useRef, type RefObject } from 'react'
import type { EstimateEditing } from './use-estimate-form.ts'
import type { EstimateFormActions } from './estimate-form-actions.ts'

/**
 * Creates the functions with which the components of the editor change the form. A request to focus an element waits
 * until React has rendered the element.
 */
export function useEstimateFormActions(
  record: EstimateEditing['record'],
  root: RefObject<HTMLElement | null>,
  laborRate: string,
): EstimateFormActions {
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current !== undefined) wanted.current = focusCell(root.current, wanted.current)
  })
  return useMemo(
    () => ({
      change: record.change,
      focus(cell) {
        // An element that is already rendered gets the focus immediately, because React might not render again.
        wanted.current = focusCell(root.current, cell)
      },
      laborRate,
    }),
    [record, root, laborRate],
  )
}

/** Focuses a cell of the form. Returns the name of the cell if React has not rendered the cell yet. */
function focusCell(root: HTMLElement | null, cell: string): string | undefined {
  const element = root?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(cell)}"]`)
  if (!element) return cell
  element.focus()
  if (element instanceof HTMLInputElement && element.type === 'text') element.select()
  return undefined
}
