import type { KeyboardEvent } from 'react'

/** The bookings and free slots in a column (`data-column`), between which the arrow keys move the focus. */
const stops = 'button[data-stop]'

/**
 * Moves the focus between bookings and free slots. The up and down keys move within a column, the left and right keys
 * to the nearest booking or free slot of the next column.
 */
export function focusByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (!(event.target instanceof HTMLElement) || !event.target.matches(stops)) return
  const next = neighborOf(event.target, event.key)
  if (next === undefined) return
  event.preventDefault()
  next?.focus()
}

/** Returns the next element in the direction of an arrow key; null at the edge, undefined for any other key. */
function neighborOf(from: HTMLElement, key: string): HTMLElement | null | undefined {
  switch (key) {
    case 'ArrowUp':
      return inColumn(from, -1)
    case 'ArrowDown':
      return inColumn(from, 1)
    case 'ArrowLeft':
      return inNextColumn(from, -1)
    case 'ArrowRight':
      return inNextColumn(from, 1)
    default:
      return undefined
  }
}

const stopsOf = (column: Element) => [...column.querySelectorAll<HTMLElement>(stops)]

function inColumn(from: HTMLElement, step: -1 | 1): HTMLElement | null {
  const column = from.closest('[data-column]')
  const all = column ? stopsOf(column) : []
  return all[all.indexOf(from) + step] ?? null
}

function inNextColumn(from: HTMLElement, step: -1 | 1): HTMLElement | null {
  const columns = [...document.querySelectorAll('[data-column]')].filter(
    (column) => column.contains(from) || stopsOf(column).length > 0,
  )
  const next = columns[columns.findIndex((column) => column.contains(from)) + step]
  if (!next) return null
  const distance = (stop: HTMLElement) =>
    Math.abs(stop.getBoundingClientRect().top - from.getBoundingClientRect().top)
  return stopsOf(next).toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}
