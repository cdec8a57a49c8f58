import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Estimate } from '#contracts/estimates.ts'
import { formatCents } from '#domain/format-cents.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { useForm } from '#web/lib/use-form.ts'
import { DeedButtons } from '#web/ui/deed-buttons.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldError, Input, Select, TextArea } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.ts'
import { recordAuthorization, type SpokenAnswer } from './estimates-api.ts'
import { refusalWords } from './refusal-words.ts'
import {
  type AnswerForm,
  answerLimits,
  beginAnswer,
  checkAnswer,
  contactLabel,
  methodLabels,
} from './spoken-answer.ts'

type Props = {
  estimate: Estimate
  /** Of what is shown. */
  version: number
  onClose: () => void
}

/** Writes down what a customer decided by phone, in person or in writing: of which jobs, who, how and when. */
export function RecordApproval({ estimate, version, onClose }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const [values, setValues] = useState(() => beginAnswer(estimate, new Date()))
  const form = useForm<AnswerForm>({
    element,
    values,
    onChange: setValues,
    limits: answerLimits,
  })
  const recording = useRecording(estimate, version, onClose)
  const record = () => {
    const checked = checkAnswer(values, new Date())
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    recording.mutate(checked.value)
  }
  const label = contactLabel(values.method)
  return (
    <Dialog
      open
      title="Record an approval"
      busy={recording.isPending}
      onClose={onClose}
      footer={
        <DeedButtons
          label={recordWords(values, estimate)}
          busyLabel="Saving…"
          isBusy={recording.isPending}
          onCancel={onClose}
          onSubmit={record}
        />
      }
    >
      <div className="record-approval" ref={element}>
        <Decisions estimate={estimate} values={values} onChange={form.change} />
        {form.errors.decisions && <FieldError>{form.errors.decisions}</FieldError>}
        <Select
          label="How"
          {...form.choice('method')}
          onChange={({ target }) => form.change(methodChange(target.value, estimate))}
        >
          {Object.entries(methodLabels).map(([method, name]) => (
            <option key={method} value={method}>
              {name}
            </option>
          ))}
        </Select>
        {label && <Input label={label} required {...form.field('contact')} />}
        <Input label="Who decided" required {...form.field('person')} />
        <Input label="Relation to the customer (optional)" {...form.field('relation')} />
        <Input label="Day" type="date" required {...form.field('date')} />
        <Input label="Time" type="time" required {...form.field('time')} />
        <TextArea label="What was said (optional)" rows={2} {...form.field('words')} />
        <label className="checkbox">
          <input
            type="checkbox"
            checked={values.wantsPartsBack}
            onChange={({ target }) => form.change({ wantsPartsBack: target.checked })}
          />
          Wants the replaced parts back
        </label>
      </div>
    </Dialog>
  )
}

function useRecording(estimate: Estimate, version: number, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (answer: SpokenAnswer) => recordAuthorization(estimate.id, version, answer),
    onSuccess: async () => {
      toast({ title: 'Recorded', description: 'It stands in the authorization for good.' })
      // What comes next is done from what the page shows by then.
      await readAgain(queries, 'estimates')
      onDone()
    },
    onError: async (error) => {
      toast({ title: 'Not recorded', description: refusalWords(error), variant: 'destructive' })
      await readAgain(queries, 'estimates')
    },
  })
}

/** The number or the address that is known for a way. */
function methodChange(method: string, { document }: Estimate): Partial<AnswerForm> {
  const { phone, email } = document.customer
  return { method, contact: method === 'email' ? email : phone }
}

function Decisions(props: {
  estimate: Estimate
  values: AnswerForm
  onChange: (change: Partial<AnswerForm>) => void
}) {
  const { estimate, values, onChange } = props
  return (
    <fieldset className="record-jobs">
      <legend className="field-label">What was decided</legend>
      {estimate.document.jobs.map(({ key, title }) => {
        const job = estimate.jobs.find((counted) => counted.key === key)
        return (
          <label key={key}>
            <span>
              {title} <b>{formatCents(job?.totalCents ?? 0)}</b>
            </span>
            <select
              className="input"
              name="decisions"
              aria-label={title}
              value={values.decisions[key] ?? ''}
              onChange={({ target }) =>
                onChange({
                  decisions: {
                    ...values.decisions,
                    [key]: target.value as AnswerForm['decisions'][string],
                  },
                })
              }
            >
              <option value="">Nothing</option>
              <option value="approved">Approved</option>
              <option value="declined">Declined</option>
              {(job?.authorizedCents ?? 0) > 0 && <option value="withdrawn">Taken back</option>}
            </select>
          </label>
        )
      })}
    </fieldset>
  )
}

/** 'Record $412.37' */
function recordWords({ decisions }: AnswerForm, { jobs }: Estimate): string {
  const approved = jobs.filter(({ key }) => decisions[key] === 'approved')
  const cents = approved.reduce((sum, { totalCents }) => sum + totalCents, 0)
  return cents > 0 ? `Record ${formatCents(cents)}` : 'Record'
}
