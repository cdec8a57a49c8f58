type Day = HTMLButtonElement
/** Out of the month, to where `land` says in the calendar of the one before or after. */
export type MonthMove = {
  readonly month: 'back' | 'on'
  readonly land: (calendar: ParentNode) => Day | undefined
}
/** Where a key leads from a day: to another one of its month, or out of it. */
type Way = { readonly day: Day | undefined } | MonthMove

/**
 * The keys of the wizard's calendar over one that the server wrote, where every day that can be picked is a button: left
 * and right by day, up and down by week, Home and End within the week, Page Up and Page Down by month. Days that cannot
 * be picked are passed over. Undefined for any other key.
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

/** The days that can be picked, in their order. */
function daysOf(calendar: ParentNode): Day[] {
  return [...calendar.querySelectorAll<Day>('button[name="date"]:enabled')]
}

const columnOf = (day: HTMLElement) => day.closest('td')?.cellIndex
