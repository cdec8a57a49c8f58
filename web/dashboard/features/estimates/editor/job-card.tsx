import { type KeyboardEvent, memo } from 'react'
import { estimateLimits } from '#contracts/estimates/estimates.ts'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Segments } from '#web/dashboard/kit/controls/segments.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import {
  addJob,
  addLine,
  asTearDown,
  changeJob,
  emptyLine,
  moveJob,
  moveJobToTop,
  removeJob,
} from '../form/edit-form.ts'
import { kindLabels } from '../estimate-text.ts'
import { SaveCannedJobButton } from './save-canned-job-button.tsx'
import { LineRow } from './line-row.tsx'
import { MeasurementFields } from './measurement-fields.tsx'
import { TearDownFields } from './tear-down-fields.tsx'
import { tearDownCell } from '../form/tear-down-form.ts'
import type { EstimateFormJob } from '../form/estimate-form.ts'
import { removeWithUndo, type EstimateFormActions } from '../form/estimate-form-actions.ts'
import { totalsOfJob } from '../form/form-totals.ts'

type Props = {
  job: EstimateFormJob
  index: number
  isLast: boolean
  /** The `data-cell` attribute of the field that gets the focus when staff remove this job. */
  neighbor: string
  taxRate: number
  /** Whether the estimate has the maximum number of lines, so that no line can be added. */
  isFull: boolean
  actions: EstimateFormActions
}

/** The editor of one job with its lines. React renders this editor again only when the job changes. */
export const JobCard = memo(function JobCard(props: Props) {
  const { job, index, isLast, taxRate, isFull, actions } = props
  const totals = totalsOfJob(job, taxRate)
  const { key } = job
  return (
    <section
      className="card job"
      aria-label={`Job ${index + 1}: ${job.title}`}
      data-cell={`job:${key}`}
      tabIndex={-1}
    >
      <header>
        <button
          type="button"
          className="grip"
          data-cell={`${key}:grip`}
          aria-label={`Move job ${job.title}`}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onKeyDown={(event) => followKey(event, props)}
          title="Moves the job down, or the last job to the top. Alt with an arrow key moves it too."
          onClick={() => move(props, isLast ? 'top' : 1, 'grip')}
        >
          <Icon name="grip" />
        </button>
        <input
          className="cell job-title"
          aria-label="Job"
          data-cell={`${key}:title`}
          aria-invalid={job.title.trim() === '' || undefined}
          placeholder="Enter a name for the job."
          onKeyDown={(event) => followKey(event, props)}
          maxLength={estimateLimits.titleLength}
          value={job.title}
          onChange={({ target }) =>
            actions.change(changeJob(key, (before) => ({ ...before, title: target.value })))
          }
        />
        <NeededChoice job={job} actions={actions} />
        <b className="job-total">{formatCents(totals.total)}</b>
        <Button
          compact
          level="quiet"
          square
          aria-label={`Remove job ${job.title}`}
          onClick={() => remove(props)}
        >
          <Icon name="trash" />
        </Button>
      </header>
      {job.lines.length > 0 && (
        <table className="job-lines">
          <LineHead />
          <tbody>
            {job.lines.map((line, at) => (
              <LineRow
                key={line.key}
                jobKey={key}
                line={line}
                index={at}
                neighbor={neighborOf(job, at)}
                amountCents={totals.lines[at] ?? 0}
                actions={actions}
              />
            ))}
          </tbody>
        </table>
      )}
      <div className="job-foot">
        {lineKinds.map((kind) => (
          <Button
            key={kind}
            compact
            level="quiet"
            data-cell={`${key}:add-${kind}`}
            disabled={isFull}
            onClick={() => {
              const line = emptyLine(kind, actions.laborRate)
              actions.change(addLine(key, line))
              actions.focus(`${line.key}:description`)
            }}
          >
            <Icon name="plus" />
            {kindLabels[kind]}
          </Button>
        ))}
        <span className="job-foot-end">
          {!job.measurement && <AddMeasure job={job} actions={actions} />}
          {!job.tearDown && <AddTearDown job={job} actions={actions} />}
          <SaveCannedJobButton job={job} />
        </span>
      </div>
      {job.measurement && (
        <MeasurementFields jobKey={key} measurement={job.measurement} actions={actions} />
      )}
      {job.tearDown && <TearDownFields jobKey={key} tearDown={job.tearDown} actions={actions} />}
      <CustomerDescription job={job} actions={actions} />
    </section>
  )
})

function LineHead() {
  return (
    <thead>
      <tr>
        <th className="line-kind">Kind</th>
        <th className="line-what">Description</th>
        <th className="line-quantity">Qty</th>
        <th className="line-each">Each</th>
        <th className="line-tax">Tax</th>
        <th className="line-amount">Amount</th>
        <th className="line-remove">
          <span className="visually-hidden">Remove</span>
        </th>
      </tr>
    </thead>
  )
}

const needs = [
  [true, 'Required'],
  [false, 'Recommended'],
] as const

function NeededChoice({ job, actions }: Pick<Props, 'job' | 'actions'>) {
  const choose = (isNeeded: boolean) =>
    actions.change(changeJob(job.key, (before) => ({ ...before, isNeeded })))
  return (
    <Segments
      name={`needed-${job.key}`}
      label="How needed"
      className="needed-choice"
      choices={needs}
      chosen={job.isNeeded}
      onChoose={choose}
    />
  )
}

function AddMeasure({ job, actions }: Pick<Props, 'job' | 'actions'>) {
  return (
    <Button
      compact
      level="quiet"
      onClick={() => {
        const measurement = { value: '', limit: '', whenNew: '', unit: 'mm' }
        actions.change(changeJob(job.key, (before) => ({ ...before, measurement })))
        actions.focus(`${job.key}:measure`)
      }}
    >
      <Icon name="plus" />
      Measurement
    </Button>
  )
}

/**
 * The button that turns the job into a tear-down. A job without priced lines gets a labor line for the tear-down and
 * one for the reassembly.
 */
function AddTearDown({ job, actions }: Pick<Props, 'job' | 'actions'>) {
  return (
    <Button
      compact
      level="quiet"
      onClick={() => {
        actions.change(changeJob(job.key, (before) => asTearDown(before, actions.laborRate)))
        actions.focus(tearDownCell(job.key, 'areas'))
      }}
    >
      <Icon name="plus" />
      Tear-down
    </Button>
  )
}

function CustomerDescription({ job, actions }: Pick<Props, 'job' | 'actions'>) {
  const id = `say-${job.key}`
  return (
    <div className="job-decision">
      <label htmlFor={id}>In plain words</label>
      <textarea
        className="cell"
        id={id}
        rows={2}
        maxLength={estimateLimits.customerDescriptionLength}
        value={job.customerDescription}
        onChange={({ target }) =>
          actions.change(
            changeJob(job.key, (before) => ({ ...before, customerDescription: target.value })),
          )
        }
      />
    </div>
  )
}

/**
 * Returns the `data-cell` attribute of the element that gets the focus when staff remove a line: in the next line, else
 * in the previous one, else the button that adds a line.
 */
function neighborOf({ key, lines }: EstimateFormJob, index: number): string {
  const neighbor = lines[index + 1] ?? lines[index - 1]
  return neighbor ? `${neighbor.key}:description` : `${key}:add-labor`
}

function followKey(event: KeyboardEvent<HTMLElement>, props: Props): void {
  const [, cell = 'title'] = (event.target as HTMLElement).dataset['cell']?.split(':') ?? []
  const step = event.altKey && ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
  if (step) {
    event.preventDefault()
    return move(props, step, cell)
  }
  if (event.key === 'Escape' && cell === 'title') props.actions.focus(`job:${props.job.key}`)
  if (event.key !== 'Enter' || cell !== 'title') return
  event.preventDefault()
  const [first] = props.job.lines
  props.actions.focus(first ? `${first.key}:description` : `${props.job.key}:add-labor`)
}

function move({ job, actions }: Props, step: 1 | -1 | 'top', cell: string): void {
  actions.change(step === 'top' ? moveJobToTop(job.key) : moveJob(job.key, step))
  actions.focus(`${job.key}:${cell}`)
}

function remove({ job, index, neighbor, actions }: Props): void {
  removeWithUndo(actions, job.title.trim() || 'Job', {
    remove: removeJob(job.key),
    restore: addJob(job, index),
  })
  actions.focus(neighbor)
}
