import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'

export type Tab<Id extends string> = { id: Id; label: string; icon: IconName }

/** The number in a badge, and its meaning for screen readers: '3 pending'. */
export type TabCount = { readonly count: number; readonly meaning: string }

/** The highest number that a badge shows. A higher number appears as '99+', so that the badge stays small. */
const mostShown = 99

type TabsProps<Id extends string> = {
  label: string
  tabs: readonly Tab<Id>[]
  /** The badges of the tabs. A tab without a number, or with the number zero, has no badge. */
  counts?: { readonly [id in Id]?: TabCount } | undefined
  /**
   * The selected tab; undefined while the page shows a view that belongs to no tab. In that case the Tab key focuses
   * the first tab.
   */
  selected: Id | undefined
  onSelect: (id: Id) => void
}

/**
 * A row of tabs that follows the ARIA tabs pattern: the row has one tab stop; the arrow keys, Home and End select
 * another tab.
 */
export function TabList<Id extends string>({
  label,
  tabs,
  counts,
  selected,
  onSelect,
}: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const index = Math.max(
      0,
      tabs.findIndex(({ id }) => id === selected),
    )
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ]
    const tab = target === undefined ? undefined : tabs.at(target % tabs.length)
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus()
  }
  const badgeOf = (id: Id) => {
    const badge = counts?.[id]
    return badge && badge.count > 0 ? badge : undefined
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the selected tab is the tab stop */}
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ id, label: name, icon }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === selected}
            aria-describedby={badgeOf(id) && `tab-${id}-count`}
            aria-controls={`panel-${id}`}
            tabIndex={id === selected || (selected === undefined && index === 0) ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            <Icon name={icon} />
            {name}
            <CountBadge count={badgeOf(id)?.count} />
          </button>
        ))}
      </div>
      {/*
       * These hidden texts, such as '3 pending', describe the tabs to screen readers (`aria-describedby`). The texts
       * are outside of the tabs, so that the number is not part of a tab's name.
       */}
      {tabs.map(({ id }) => {
        const badge = badgeOf(id)
        return (
          badge && (
            <span key={id} id={`tab-${id}-count`} hidden>
              {badge.count} {badge.meaning}
            </span>
          )
        )
      })}
    </>
  )
}

function CountBadge({ count }: { count: number | undefined }) {
  if (count === undefined) return null
  return (
    <span className="tab-count" aria-hidden="true">
      {count > mostShown ? `${mostShown}+` : count}
    </span>
  )
}

/** The content of the selected tab. */
export function TabPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  )
}
