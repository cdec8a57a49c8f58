import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { estimateLimits, type CannedJob } from '#contracts/estimates/estimates.ts'
import { jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { useDebouncedText } from '#web/lib/forms/use-debounced-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { addJob, emptyJob } from '../form/edit-form.ts'
import { findCannedJobs } from '../estimates-api.ts'
import { formatLaborHours } from '../estimate-text.ts'
import { CannedJobsDialog } from './canned-jobs-dialog.tsx'
import { formJob } from '../form/estimate-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'

/**
 * A field in which staff type the name of a job to add: a canned job (a stored job with its lines), or a new job
 * without lines.
 */
export function AddJob({ actions, taxRate }: { actions: EstimateFormActions; taxRate: number }) {
  const [input, setInput] = useState('')
  const [wanted, setActive] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const id = useId()
  const suggestions = useSuggestions(input.trim())
  const hits = [...suggestions.hits, undefined]
  const active = Math.min(wanted, hits.length - 1)
  const selectHit = (hit: CannedJob | undefined) => {
    const title = input.trim()
    const job = hit
      ? formJob({ ...hit.job, key: randomUuid() })
      : emptyJob(title, actions.laborRate)
    actions.change(addJob(job))
    setInput('')
    setIsOpen(false)
    const [first] = job.lines
    actions.focus(hit || !title || !first ? `${job.key}:title` : `${first.key}:description`)
  }
  const followKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setIsOpen(false)
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isOpen) selectHit(hits[active])
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    setIsOpen(true)
    setActive((active + step + hits.length) % hits.length)
  }
  return (
    <div className="add-job" onBlur={(event) => isFocusOutside(event) && setIsOpen(false)}>
      <label htmlFor={id}>Add a job</label>
      <span className="add-job-field">
        <Icon name="wrench" />
        <input
          className="input"
          id={id}
          data-cell="add-job"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder="Type a job, or pick one"
          maxLength={estimateLimits.titleLength}
          value={input}
          onClick={() => setIsOpen(true)}
          onKeyDown={followKey}
          onChange={({ target }) => {
            setInput(target.value)
            setActive(0)
            setIsOpen(true)
          }}
        />
      </span>
      {isOpen && (
        <div className="job-hits" role="listbox" id={`${id}-list`} aria-label="Canned jobs">
          {hits.map((hit, index) => (
            <Hit
              key={hit?.id ?? 'empty'}
              id={`${id}-${index}`}
              hit={hit}
              input={input.trim()}
              taxRate={taxRate}
              isActive={index === active}
              onSelect={() => selectHit(hit)}
            />
          ))}
        </div>
      )}
      {isOpen && suggestions.hits.length > 0 && (
        <Button compact level="quiet" onClick={() => setIsDialogOpen(true)}>
          Canned jobs…
        </Button>
      )}
      {isDialogOpen && <CannedJobsDialog onClose={() => setIsDialogOpen(false)} />}
      <p className="hint" role="status">
        {isOpen &&
          suggestions.isError &&
          'The canned jobs could not be loaded. You can still add an empty job.'}
      </p>
    </div>
  )
}

const isFocusOutside = ({ currentTarget, relatedTarget }: React.FocusEvent) =>
  !currentTarget.contains(relatedTarget)

/**
 * The canned jobs that match the typed text. Until the server responds, the browser filters the first fifty canned
 * jobs, so that staff can immediately choose a visible suggestion.
 */
function useSuggestions(term: string) {
  const debounced = useDebouncedText(term)
  const first = useCannedJobs('')
  const found = useCannedJobs(debounced)
  const isCurrent = debounced === term && found.data !== undefined
  return {
    hits: isCurrent ? found.data : (first.data ?? []).filter(({ job }) => has(job.title, term)),
    isError: found.isError,
  }
}

function useCannedJobs(term: string) {
  return useQuery({
    queryKey: ['estimates', 'canned_jobs', term],
    queryFn: () => findCannedJobs(term),
  })
}

const has = (title: string, term: string) => title.toLowerCase().includes(term.toLowerCase())

function Hit(props: {
  id: string
  hit: CannedJob | undefined
  input: string
  taxRate: number
  isActive: boolean
  onSelect: () => void
}) {
  const { id, hit, input, taxRate, isActive, onSelect } = props
  const line = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={line}
      type="button"
      role="option"
      // The Tab key skips the suggestions: the focus stays in the text field while the arrow keys highlight a
      // suggestion.
      tabIndex={-1}
      id={id}
      aria-selected={isActive}
      onClick={onSelect}
    >
      {hit ? (
        <>
          <b>
            <Highlighted text={hit.job.title} term={input} />
          </b>
          <b className="job-hit-total">{formatCents(jobTotals(hit.job.lines, taxRate).total)}</b>
          <small>{contents(hit)}</small>
        </>
      ) : (
        <b className="job-hit-empty">
          <Icon name="plus" />
          {input ? `Empty job “${input}”` : 'Empty job'}
        </b>
      )}
    </button>
  )
}

/** Renders a text and highlights the first occurrence of the typed term. */
function Highlighted({ text, term }: { text: string; term: string }) {
  const at = term ? text.toLowerCase().indexOf(term.toLowerCase()) : -1
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + term.length)}</mark>
      {text.slice(at + term.length)}
    </>
  )
}

/** Summarizes the hours and parts of a canned job: '1.3 h, pads, 2 rotors'. */
function contents({ job }: CannedJob): string {
  const hours = job.lines.filter(({ kind }) => kind === 'labor')
  const sum = hours.reduce((all, { quantityThousandths }) => all + quantityThousandths, 0)
  const others = job.lines.filter(({ kind }) => kind !== 'labor' && kind !== 'discount')
  return [
    ...(sum > 0 ? [formatLaborHours(sum)] : []),
    ...others.slice(0, 3).map(({ description }) => description),
    ...(others.length > 3 ? [`${others.length - 3} more`] : []),
  ].join(', ')
}
