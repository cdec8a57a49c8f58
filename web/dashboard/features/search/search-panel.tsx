import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEventHandler, type Ref, useId, useRef, useState } from 'react'
import { useOpenPhoneBooking } from '#web/dashboard/kit/bookings/phone-booking-prefill.ts'
import { addRecentRecord } from '#web/dashboard/kit/records/recent-records.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { HitList, hitId } from './hit-list.tsx'
import { type GroupTitle, type Hit, type HitLine, hitLines } from './hits.ts'
import { ShortcutHints } from './shortcut-hints.tsx'
import { useHitKeys } from './use-hit-keys.ts'
import { useSearch } from './use-search.ts'
import './search-panel.css'

/**
 * The panel that searches all records of the shop. The dashboard never stores the search text (docs/product.md 16.20).
 */
export function SearchPanel({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const openPhoneBooking = useOpenPhoneBooking()
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [input, setInput] = useState('')
  const [only, setOnly] = useState<GroupTitle>()
  const found = useSearch(input, only)
  const lines = found.groups.flatMap(hitLines)
  const isOutdated = found.state === 'searching'

  function open(line: HitLine) {
    if (line.kind === 'more') return narrow(line.of)
    addRecentRecord(line)
    void navigate({ ...line.link, replace: true })
  }

  /**
   * Shows the results of one kind, or of all kinds. Focuses the search field, because the pressed line, such as 'All
   * 14', disappears.
   */
  function narrow(to: GroupTitle | undefined) {
    setOnly(to)
    keys.setActive(0)
    field.current?.focus()
  }

  function book(hit: Hit | undefined) {
    if (!hit?.customer) return
    openPhoneBooking({ kind: 'known', ...hit.customer }, { replace: true })
  }

  const keys = useHitKeys({
    count: lines.length,
    field,
    list,
    onOpen: (index) => {
      const line = lines[index]
      // Do nothing while the results belong to an earlier search text, because Enter must open a result of the current
      // text.
      if (line && !isOutdated) open(line)
    },
    onBook: (index) => book(hitOf(lines[index])),
  })
  const active = hitOf(lines[keys.active])
  return (
    <Dialog
      open
      onClose={only ? () => narrow(undefined) : onClose}
      size="search"
      title="Search"
      head={
        <SearchHead
          field={field}
          listId={listId}
          activeId={lines[keys.active] && hitId(listId, keys.active)}
          isExpanded={lines.length > 0}
          input={input}
          onInput={(typed) => {
            setInput(typed)
            setOnly(undefined)
            keys.setActive(0)
          }}
          onKeyDown={keys.followKey}
          onClose={onClose}
        />
      }
      footer={<ShortcutHints active={active} onBook={() => book(active)} />}
    >
      <SearchState
        state={found.state}
        hasHits={lines.length > 0}
        input={input}
        onRetry={found.retry}
        onBook={() => {
          openPhoneBooking({ kind: 'new', search: input }, { replace: true })
        }}
      />
      {only && (
        <Button compact level="quiet" onClick={() => narrow(undefined)}>
          <Icon name="chevron-left" />
          All results
        </Button>
      )}
      <div ref={list} onKeyDown={keys.followKey} role="presentation">
        <HitList
          id={listId}
          groups={found.groups}
          active={keys.active}
          search={found.state === 'opened' ? '' : input}
          isBusy={isOutdated}
          onActivate={keys.setActive}
          onOpen={open}
        />
      </div>
      {found.groups[0]?.note && <p className="search-note">{found.groups[0].note}</p>}
    </Dialog>
  )
}

/** The search field and the close button. The arrow keys in the search field move through the list of results. */
function SearchHead({
  field,
  ...props
}: {
  field: Ref<HTMLInputElement>
  listId: string
  /** The DOM id of the highlighted result. */
  activeId: string | undefined
  isExpanded: boolean
  input: string
  onInput: (typed: string) => void
  onKeyDown: KeyboardEventHandler
  onClose: () => void
}) {
  return (
    <div className="search-head" onKeyDown={props.onKeyDown} role="presentation">
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        role="combobox"
        aria-label="Search"
        aria-expanded={props.isExpanded}
        aria-controls={props.listId}
        aria-autocomplete="list"
        aria-activedescendant={props.activeId}
        placeholder="Name, phone, email, plate, VIN, invoice or estimate number"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        data-first-focus
        value={props.input}
        onChange={({ target }) => props.onInput(target.value)}
      />
      <Button compact level="quiet" onClick={props.onClose}>
        Close<kbd>Esc</kbd>
      </Button>
    </div>
  )
}

const hitOf = (line: HitLine | undefined) => (line?.kind === 'more' ? undefined : line)

function SearchState(props: {
  state: 'opened' | 'searching' | 'found' | 'failed'
  hasHits: boolean
  input: string
  onRetry: () => void
  onBook: () => void
}) {
  const { state, hasHits, input, onRetry, onBook } = props
  return (
    <div className="search-state" role="status">
      {state === 'searching' && !hasHits && <p>Searching…</p>}
      {state === 'opened' && !hasHits && <p>Records you open appear here.</p>}
      {state === 'failed' && (
        <p>
          The search failed.{' '}
          <Button compact onClick={onRetry}>
            Try again
          </Button>
        </p>
      )}
      {state === 'found' && !hasHits && (
        <p>
          No results for “{input.trim()}”.{' '}
          <Button compact onClick={onBook}>
            Book a new customer
          </Button>
        </p>
      )}
    </div>
  )
}
