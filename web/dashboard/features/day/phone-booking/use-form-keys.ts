import { type RefObject, useEffect } from 'react'

/**
 * Handles the keys of the phone booking form. Enter saves while a select has the focus, Ctrl+Enter in any field. Tab
 * leaves the date field with one press, because the arrow keys reach the month, day and year within the field.
 */
export function useFormKeys(element: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const form = element.current
    if (!form) return
    const follow = (event: KeyboardEvent) => followKey(event, form)
    form.addEventListener('keydown', follow)
    return () => form.removeEventListener('keydown', follow)
  }, [element])
}

function followKey(event: KeyboardEvent, form: HTMLFormElement): void {
  const { key, target } = event
  if (key === 'Enter' && (event.ctrlKey || event.metaKey || target instanceof HTMLSelectElement)) {
    event.preventDefault()
    form.requestSubmit()
  } else if (key === 'Tab' && target instanceof HTMLInputElement && target.type === 'date') {
    const next = neighborOf(target, form, event.shiftKey ? -1 : 1)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
}

/**
 * The next or previous field of the form that the Tab key focuses; undefined after the last and before the first field.
 */
function neighborOf(
  field: HTMLInputElement,
  form: HTMLFormElement,
  step: -1 | 1,
): HTMLElement | undefined {
  const stops = [...form.elements].filter(
    (element): element is HTMLElement =>
      element instanceof HTMLElement &&
      element.tabIndex >= 0 &&
      element.checkVisibility() &&
      !element.matches(':disabled'),
  )
  return stops[stops.indexOf(field) + step]
}
