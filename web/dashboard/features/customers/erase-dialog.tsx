import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  type ErasurePreview,
  type CustomerRecord,
  customerEndpoints,
} from '#contracts/customers.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { BusyLabel, Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { EraseSummary } from './erase-summary.tsx'
import { isNotFound } from '#web/dashboard/kit/customers/is-not-found.ts'
import { OtherTexts } from './other-texts.tsx'
import { previewErasure } from '#web/dashboard/kit/customers/customers-api.ts'
import { useExport } from './use-export.ts'
import { customerErasure, useIsBeingErased } from './use-is-being-erased.ts'
import { customersKey } from '#web/dashboard/kit/customers/use-live-customers.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { isStepUpRequired, stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'

const confirmation = 'erase'

type Props = { customer: CustomerRecord; onClose: () => void; onErased: () => void }

/**
 * The dialog that erases the personal data of a customer. The dialog shows which data the erasure deletes, keeps,
 * and changes in other records. Staff confirm by typing the word 'erase'.
 */
export function EraseDialog({ customer, onClose, onErased }: Props) {
  const formId = useId()
  const [input, setInput] = useState('')
  const [excludedKeys, setExcludedKeys] = useState<ReadonlySet<string>>(new Set())
  const exporting = useExport(customer.id)
  const isOffline = useOfflineSince() !== undefined
  const preview = useQuery({
    queryKey: [customersKey, 'erasure', customer.id],
    queryFn: () => previewErasure(customer.id),
    enabled: !useIsBeingErased(customer.id),
  })
  const erasure = useErasure(customer.id, excludedKeys, onErased)
  const isBusy = erasure.isPending
  const { error, confirmation: stepUp } = stepUpOf(erasure)
  const failure = error?.message
  const isReady = preview.data?.open.length === 0 && input.trim().toLowerCase() === confirmation

  return (
    <Dialog
      open
      size="small"
      title={`Erase ${customer.name}’s data`}
      busy={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button compact disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            compact
            disabled={isBusy || exporting.isBusy || isOffline}
            onClick={exporting.run}
          >
            <Icon name="download" />
            <BusyLabel busy={exporting.isBusy && 'Packing…'}>Export first</BusyLabel>
          </Button>
          <Button
            type="submit"
            form={formId}
            compact
            className="customer-erase"
            busy={isBusy && 'Erasing…'}
            disabled={!isReady || isOffline}
          >
            Erase
          </Button>
        </>
      }
    >
      {preview.isError && (
        <LoadFailure
          title="The data to erase could not be loaded."
          onRetry={() => void preview.refetch()}
        />
      )}
      {preview.isPending && <Skeleton />}
      {preview.data && (
        <ErasureForm
          id={formId}
          preview={preview.data}
          input={input}
          excludedKeys={excludedKeys}
          onInput={setInput}
          onExclude={setExcludedKeys}
          onSubmit={() => isReady && preview.data && erasure.mutate(preview.data)}
        />
      )}
      {(failure ?? exporting.failure) && (
        <Notice
          tone="bad"
          title={failure ? 'Could not erase the data.' : 'Could not export the data.'}
        >
          {failure ?? exporting.failure}
        </Notice>
      )}
      {stepUp && <StepUpDialog action={`erase the data of ${customer.name}`} {...stepUp} />}
      {exporting.confirmation && (
        <StepUpDialog action={`export the data of ${customer.name}`} {...exporting.confirmation} />
      )}
    </Dialog>
  )
}

/** Erases the personal data of the customer. The texts whose keys are in `excludedKeys` remain unchanged. */
function useErasure(customerId: string, excludedKeys: ReadonlySet<string>, onErased: () => void) {
  return useMutation({
    mutationKey: customerErasure(customerId),
    mutationFn: async (seen: ErasurePreview) => {
      // Sends only the excluded texts that the current preview still lists, because another window may have changed or
      // removed a text since staff excluded this text.
      const listed = seen.others.texts.map(({ key }) => key).filter((key) => excludedKeys.has(key))
      const request = {
        customerId: seen.id,
        version: seen.version,
        excludedKeys: listed,
        confirmation,
      } as const
      const erased = await callAsAdmin(customerEndpoints.erase, request)
      if (erased.ok) return
      if (isStepUpRequired(erased.refusal)) throw erased.refusal
      // A 'not found' response means that an earlier request already erased the customer and only its response was
      // lost.
      if (await previewErasure(seen.id).then(() => false, isNotFound)) return
      throw new Error(erased.refusal.message || 'The server did not respond. Please try again.')
    },
    onSuccess: () => {
      toast({ title: 'Erased.', description: 'The customer record is kept without the name.' })
      onErased()
    },
  })
}

/** Lists the effects of the erasure, and asks staff to type the word 'erase'. */
function ErasureForm(props: {
  id: string
  preview: ErasurePreview
  input: string
  excludedKeys: ReadonlySet<string>
  onInput: (input: string) => void
  onExclude: (keys: ReadonlySet<string>) => void
  onSubmit: () => void
}) {
  const { preview, excludedKeys } = props
  const exclude = (key: string, isExcluded: boolean) => {
    const after = new Set(excludedKeys)
    if (isExcluded) after.add(key)
    else after.delete(key)
    props.onExclude(after)
  }
  return (
    <form
      id={props.id}
      className="customer-form"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      <EraseSummary preview={preview} />
      {preview.others.count > 0 && (
        <OtherTexts others={preview.others} excludedKeys={excludedKeys} onExclude={exclude} />
      )}
      <Input
        label={
          <>
            Type <b>erase</b> to go on
          </>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={props.input}
        onChange={({ target }) => props.onInput(target.value)}
      />
    </form>
  )
}
