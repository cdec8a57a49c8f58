import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { isPlainClick } from '#web/lib/browser/plain-click.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'
import { type Hit, type HitGroup, type HitLine, hitLines, type MoreLine } from './hits.ts'
import { markMatches } from './mark-matches.ts'

const icons = {
  customer: 'user',
  vehicle: 'car',
  booking: 'calendar',
  estimate: 'tag',
  invoice: 'receipt',
} as const satisfies Record<Hit['kind'], IconName>

/** The DOM id of the result at an index, counted over all groups. */
export const hitId = (listId: string, index: number) => `${listId}-${index}`

type Props = {
  id: string
  groups: readonly HitGroup[]
  /** The index of the highlighted result, counted over all groups. */
  active: number
  search: string
  /**
   * Whether the search for the current text is still running. Meanwhile the list shows the results of the previous
   * text.
   */
  isBusy: boolean
  onActivate: (index: number) => void
  onOpen: (line: HitLine) => void
}

/** The search results, grouped by kind. */
export function HitList({ id, groups, active, search, isBusy, onActivate, onOpen }: Props) {
  const all = groups.map(hitLines)
  return (
    <div className="search-hits" role="listbox" id={id} aria-label="Results" aria-busy={isBusy}>
      {groups.map(({ title }, at) => (
        <div key={title} role="group" aria-label={title}>
          <p className="hit-kind" aria-hidden="true">
            {title}
          </p>
          {all[at]?.map((line, indexInGroup) => {
            const index = all.slice(0, at).flat().length + indexInGroup
            const props = {
              id: hitId(id, index),
              isActive: index === active,
              onFocus: () => onActivate(index),
              onOpen: () => onOpen(line),
            }
            return line.kind === 'more' ? (
              <MoreOption key="more" line={line} {...props} />
            ) : (
              <HitOption key={`${line.kind} ${line.id}`} hit={line} search={search} {...props} />
            )
          })}
        </div>
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  isActive: boolean
  onFocus: () => void
  onOpen: () => void
}

function MoreOption({ line, id, isActive, onFocus, onOpen }: OptionProps & { line: MoreLine }) {
  return (
    <button
      id={id}
      type="button"
      className="hit hit-more"
      role="option"
      aria-selected={isActive}
      // This option is not a tab stop, because the arrow keys move the focus from the search field to the options.
      tabIndex={-1}
      onClick={onOpen}
      onFocus={onFocus}
    >
      <span>{line.title}</span>
    </button>
  )
}

function HitOption(props: OptionProps & { hit: Hit; search: string }) {
  const { id, hit, isActive, search, onFocus, onOpen } = props
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    onOpen()
  }
  return (
    <Link
      id={id}
      className="hit"
      role="option"
      aria-selected={isActive}
      // This option is not a tab stop, because the arrow keys move the focus from the search field to the options.
      tabIndex={-1}
      {...hit.link}
      onClick={follow}
      onFocus={onFocus}
    >
      <Icon name={icons[hit.kind]} />
      <span>
        <b>
          <Highlighted text={hit.title} search={search} />
        </b>{' '}
        <small>
          <Highlighted text={hit.detail} search={search} />
        </small>
      </span>{' '}
      <span className="hit-end">
        {hit.badge ? <Badge tone={hit.badge.tone}>{hit.badge.label}</Badge> : hit.remark}
      </span>
    </Link>
  )
}

function Highlighted({ text, search }: { text: string; search: string }) {
  let at = 0
  return markMatches(text, search).map((part) => {
    const key = at
    at += part.text.length
    return part.isMatch ? <mark key={key}>{part.text}</mark> : part.text
  })
}
