type Day = HTMLButtonElement
/**
 * A move of the focus to the previous month ('back') or the next month ('on'). `land` returns the day that gets the
 * focus in the calendar of the new month.
 */
export type MonthMove = {
  readonly month: 'back' | 'on'
  readonly land: (calendar: ParentNode) => Day | undefined
}
/** The effect of a key press in the calendar: the focus moves to another day of the same month, or to another month. */
type Way = { readonly day: Day | undefined } | MonthMove

/**
 * Returns the move of the focus for a key press in the server-rendered calendar, in which every selectable day is a
 * button. Left and right move by day, up and down by week, Home and End within the week, Page Up and Page Down by
 * month, as in the booking wizard. Days that cannot be selected are skipped. Returns undefined for any other key.
 */
export function moveByKey(key: string, day: Day): Way | undefined {
  const inColumn = (calendar: ParentNode) =>
    daysOf(calendar).filter((other) => columnOf(other) === columnOf(day))
  const inWeek = () => daysOf(day.closest('tr') ?? document)
  switch (key) {
    case 'ArrowLeft':
      return oneBack(day, daysOf)
    case 'ArrowRight':
      return oneOn(day, daysOf)
    case 'ArrowUp':
      return oneBack(day, inColumn)
    case 'ArrowDown':
      return oneOn(day, inColumn)
    case 'Home':
      return { day: inWeek()[0] }
    case 'End':
      return { day: inWeek().at(-1) }
    case 'PageUp':
      return { month: 'back', land: (calendar) => daysOf(calendar)[0] }
    case 'PageDown':
      return { month: 'on', land: (calendar) => daysOf(calendar)[0] }
    default:
      return undefined
  }
}

type Days = (calendar: ParentNode) => Day[]

function oneBack(day: Day, among: Days): Way {
  const days = among(document)
  const before = days[days.indexOf(day) - 1]
  return before ? { day: before } : { month: 'back', land: (calendar) => among(calendar).at(-1) }
}

function oneOn(day: Day, among: Days): Way {
  const days = among(document)
  const after = days[days.indexOf(day) + 1]
  return after ? { day: after } : { month: 'on', land: (calendar) => among(calendar)[0] }
}

/** The selectable days in order of date. */
function daysOf(calendar: ParentNode): Day[] {
  return [...calendar.querySelectorAll<Day>('button[name="date"]:enabled')]
}

const columnOf = (day: HTMLElement) => day.closest('td')?.cellIndex
