import * as z from 'zod/mini'
import { estimateDocument } from '#contracts/estimates/estimates.ts'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'
import { createDraftStorage } from '#web/lib/forms/draft-storage.ts'
import type { DraftStorage } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { documentOf, formOfDocument, nextLineKey, type EstimateForm } from './estimate-form.ts'

const line = z.object({
  kind: z.enum(lineKinds),
  subtype: z.string(),
  description: z.string(),
  quantity: z.string(),
  each: z.string(),
  isTaxable: z.boolean(),
})
const tearDown = z.object({
  areas: z.string(),
  priceCents: z.string(),
  reassemblyPriceCents: z.string(),
  destroyedParts: z.string(),
  reassemblyTime: z.string(),
  mayPreventReassembly: z.enum(['', 'yes', 'no']),
})
const { jobs, vehicle } = estimateDocument.shape
const draft = z.object({
  form: z.object({
    ...estimateDocument.shape,
    vehicle: z.object({ ...vehicle.shape, odometerMiles: z.string() }),
    payer: z._default(z.object({ name: z.string(), reference: z.string(), approved: z.string() }), {
      name: '',
      reference: '',
      approved: '',
    }),
    jobs: z.array(
      z.object({
        ...jobs._zod.def.element.shape,
        measurement: z.nullable(
          z.object({ value: z.string(), limit: z.string(), whenNew: z.string(), unit: z.string() }),
        ),
        // A draft that an earlier release of the dashboard stored has no tear-down field.
        tearDown: z._default(z.nullable(tearDown), null),
        lines: z.array(line),
      }),
    ),
  }),
  base: estimateDocument,
  version: z.int(),
})

/**
 * Stores the draft of an estimate in this browser. The draft survives a reload, a crash and closing the tab. All tabs
 * that edit the same estimate share one stored draft, so the browser restores only the draft that was typed last.
 */
export function createEstimateDraftStorage(estimateId: string): DraftStorage<EstimateForm> {
  const { remember, recall, forget } = createDraftStorage(
    `estimate_draft_${estimateId}`,
    readDraft,
    {
      survivesTab: true,
    },
  )
  return {
    remember: ({ values, base, version }) =>
      remember({ form: values, base: documentOf(base).document, version }),
    recall() {
      const stored = recall()
      if (!stored) return undefined
      const { form, base, version } = stored
      return { values: form, base: formOfDocument(base), version }
    },
    forget,
  }
}

type StoredDraft = Omit<z.output<typeof draft>, 'form'> & { readonly form: EstimateForm }

function readDraft(stored: unknown): StoredDraft | undefined {
  const read = draft.safeParse(stored)
  return read.success ? { ...read.data, form: withKeys(read.data.form) } : undefined
}

function withKeys(form: z.output<typeof draft>['form']): EstimateForm {
  const keyed = form.jobs.map((job) => ({
    ...job,
    lines: job.lines.map((formLine) => ({ ...formLine, key: nextLineKey() })),
  }))
  return { ...form, jobs: keyed }
}
