import type { MouseEvent } from 'react'
import { isPlainClick } from '#web/lib/plain-click.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import type { Hit, HitGroup } from './hits.ts'
import { markMatches } from './mark-matches.ts'

const icons = {
  person: 'user',
  car: 'car',
  visit: 'calendar',
  estimate: 'tag',
  invoice: 'receipt',
} as const satisfies Record<Hit['kind'], IconName>

/** The id of the hit of a place, over all groups. */
export const hitId = (listId: string, index: number) => `${listId}-${index}`

type Props = {
  id: string
  groups: readonly HitGroup[]
  /** The place of the marked hit, over all groups. */
  marked: number
  search: string
  /** Whether what is shown is of an earlier letter. */
  isBusy: boolean
  onMark: (index: number) => void
  onOpen: (hit: Hit) => void
}

/** What was found, by kind. */
export function HitList({ id, groups, marked, search, isBusy, onMark, onOpen }: Props) {
  const all = groups.flatMap((group) => group.hits)
  return (
    <div className="search-hits" role="listbox" id={id} aria-label="Results" aria-busy={isBusy}>
      {groups.map(({ title, hits }) => (
        <div key={title} role="group" aria-label={title}>
          <p className="hit-kind" aria-hidden="true">
            {title}
          </p>
          {hits.map((hit) => {
            const index = all.indexOf(hit)
            return (
              <HitLine
                key={`${hit.kind} ${hit.id}`}
                id={hitId(id, index)}
                hit={hit}
                isMarked={index === marked}
                search={search}
                onFocus={() => onMark(index)}
                onOpen={() => onOpen(hit)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

function HitLine(props: {
  id: string
  hit: Hit
  isMarked: boolean
  search: string
  onFocus: () => void
  onOpen: () => void
}) {
  const { id, hit, isMarked, search, onFocus, onOpen } = props
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    onOpen()
  }
  return (
    <a
      id={id}
      className="hit"
      role="option"
      aria-selected={isMarked}
      // The arrows lead here from the field.
      tabIndex={-1}
      href={hit.search}
      onClick={follow}
      onFocus={onFocus}
    >
      <Icon name={icons[hit.kind]} />
      <span>
        <b>
          <Marked text={hit.title} search={search} />
        </b>{' '}
        <small>
          <Marked text={hit.detail} search={search} />
        </small>
      </span>{' '}
      <span className="hit-end">
        {hit.badge ? <Badge tone={hit.badge.tone}>{hit.badge.label}</Badge> : hit.remark}
      </span>
    </a>
  )
}

function Marked({ text, search }: { text: string; search: string }) {
  let at = 0
  return markMatches(text, search).map((part) => {
    const key = at
    at += part.text.length
    return part.isMatch ? <mark key={key}>{part.text}</mark> : part.text
  })
}
