import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type ErasurePreview, type KnownPerson, personEndpoints } from '#contracts/people.ts'
import { formatDayOfYear } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { callAsAdmin } from '#web/lib/call-as-admin.ts'
import { useOfflineSince } from '#web/lib/use-offline-since.ts'
import { BusyWords } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { isGone } from './is-gone.ts'
import { readErasure } from './people-api.ts'
import { countOf, countsOf, dateText } from './people-words.ts'
import { useExport } from './use-export.ts'
import { personErasure, useIsBeingErased } from './use-is-being-erased.ts'
import { peopleKey } from './use-live-people.ts'

const word = 'erase'

type Props = { person: KnownPerson; onClose: () => void; onErased: () => void }

/** Says what goes and what the law keeps, and wants the word. */
export function EraseDialog({ person, onClose, onErased }: Props) {
  const formId = useId()
  const [typed, setTyped] = useState('')
  const exporting = useExport(person.id)
  const isOffline = useOfflineSince() !== undefined
  const preview = useQuery({
    queryKey: [peopleKey, 'erasure', person.id],
    queryFn: () => readErasure(person.id),
    enabled: !useIsBeingErased(person.id),
  })
  const erasure = useMutation({
    mutationKey: personErasure(person.id),
    mutationFn: async (seen: ErasurePreview) => {
      const request = { personId: seen.id, version: seen.version, word } as const
      const erased = await callAsAdmin(personEndpoints.erase, request)
      if (erased.ok) return
      // Only the answer may have been lost: who is not there any more was erased.
      if (await readErasure(seen.id).then(() => false, isGone)) return
      throw new Error(erased.refusal.message || 'The server did not answer. Please look again.')
    },
    onSuccess: () => {
      toast({ title: 'Erased.', description: 'A line without the name says that it was done.' })
      onErased()
    },
  })
  const isBusy = erasure.isPending
  const failure = erasure.error?.message
  const isReady = preview.data?.open.length === 0 && typed.trim().toLowerCase() === word

  return (
    <Dialog
      open
      size="small"
      title={`Erase ${person.name}’s data`}
      busy={isBusy}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="action" disabled={isBusy} onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="action"
            disabled={isBusy || exporting.isBusy || isOffline}
            onClick={exporting.run}
          >
            <Icon name="download" />
            <BusyWords busy={exporting.isBusy && 'Packing…'}>Export first</BusyWords>
          </button>
          <button
            type="submit"
            form={formId}
            className="action people-erase"
            disabled={!isReady || isBusy || isOffline}
          >
            <BusyWords busy={isBusy && 'Erasing…'}>Erase</BusyWords>
          </button>
        </>
      }
    >
      {preview.isError && (
        <Notice tone="bad" title="What would go could not be read.">
          <button type="button" className="action" onClick={() => void preview.refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {preview.isPending && <Skeleton />}
      {preview.data && (
        <form
          id={formId}
          className="people-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady && preview.data) erasure.mutate(preview.data)
          }}
        >
          <WhatGoes preview={preview.data} />
          <Input
            label={
              <>
                Type <b>erase</b> to go on
              </>
            }
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </form>
      )}
      {(failure ?? exporting.failure) && (
        <Notice tone="bad" title={failure ? 'Not erased.' : 'Not exported.'}>
          {failure ?? exporting.failure}
        </Notice>
      )}
    </Dialog>
  )
}

function WhatGoes({ preview }: { preview: ErasurePreview }) {
  return (
    <>
      <p>{goesWords(preview.counts)} go for good.</p>
      {preview.keptUntil && (
        <p className="note">
          <b>Kept, because the law asks for it:</b> {keptWords(preview.kept)}, with the name, until{' '}
          {dateText(preview.keptUntil)}.
        </p>
      )}
      {preview.open.map((open) => (
        <Notice key={open.id} tone="bad">
          {openWords(open)}
        </Notice>
      ))}
    </>
  )
}

/** 'Name, phone, e-mail, 2 notes, plate and VIN of 2 cars, and 31 e-mails' */
function goesWords({ cars, emails, notes, quotes }: ErasurePreview['counts']): string {
  const things = [
    notes > 0 && countOf(notes, 'note'),
    quotes > 0 && `what ${countOf(quotes, 'quote request')} said`,
    cars > 0 && `plate and VIN of ${countOf(cars, 'car')}`,
    emails > 0 && countOf(emails, 'e-mail'),
  ]
  return new Intl.ListFormat('en-US').format([
    'Name',
    'phone',
    'e-mail',
    ...things.filter((thing) => thing !== false),
  ])
}

/** '6 invoices, 2 estimates' */
function keptWords(kept: ErasurePreview['kept']): string {
  const count = (kind: 'invoice' | 'estimate') => kept.filter((each) => each.kind === kind).length
  return countsOf([count('invoice'), 'invoice'], [count('estimate'), 'estimate'])
}

/** What has to end first, and how. */
function openWords({ kind, title, at }: ErasurePreview['open'][number]): string {
  if (kind === 'visit') {
    const when = `${formatDayOfYear(at.slice(0, 10))} at ${formatTime(at.slice(11, 16))}`
    return `There is a visit on ${when}. Cancel or finish it first.`
  }
  if (kind === 'estimate') return `Estimate ${title} is open. Finish or delete it first.`
  return `Invoice ${title ?? 'without a number'} is open. It has to be paid or voided first.`
}
