import * as z from 'zod/mini'
import { estimateDocument } from '#contracts/estimates/estimates.ts'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'
import { nextLineKey, type EstimateForm } from './estimate-form.ts'

/** What was typed over an estimate and is not saved, and the document that was seen then. */
export type Draft = {
  readonly form: EstimateForm
  readonly base: z.output<typeof estimateDocument>
  /** Of the estimate that was seen. */
  readonly version: number
}

const line = z.object({
  kind: z.enum(lineKinds),
  subtype: z.string(),
  description: z.string(),
  quantity: z.string(),
  each: z.string(),
  isTaxable: z.boolean(),
})
const { jobs, vehicle } = estimateDocument.shape
const draft = z.object({
  form: z.object({
    ...estimateDocument.shape,
    vehicle: z.object({ ...vehicle.shape, odometerMiles: z.string() }),
    jobs: z.array(
      z.object({
        ...jobs._zod.def.element.shape,
        measurement: z.nullable(
          z.object({ value: z.string(), limit: z.string(), whenNew: z.string(), unit: z.string() }),
        ),
        lines: z.array(line),
      }),
    ),
  }),
  base: estimateDocument,
  version: z.int(),
})

/**
 * The draft of an estimate in this browser: a reload, a crash and the end of the window keep it. Another window that
 * writes the same estimate has its own; the one that typed last is found again.
 */
export function createDraftStorage(estimateId: string) {
  const key = `estimate_draft_${estimateId}`
  let written: string | undefined
  return {
    remember(next: Draft) {
      written = JSON.stringify(next)
      attempt(() => localStorage.setItem(key, written ?? ''))
    },
    recall: (): Draft | undefined =>
      attempt(() => {
        written = localStorage.getItem(key) ?? undefined
        const read = draft.safeParse(JSON.parse(written ?? 'null'))
        return read.success ? { ...read.data, form: withKeys(read.data.form) } : undefined
      }),
    /** Not what another window typed since. */
    forget: () =>
      attempt(() => {
        if (localStorage.getItem(key) === written) localStorage.removeItem(key)
      }),
  }
}

/** Where storage is full or forbidden, a draft ends with the page. */
function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

function withKeys(form: z.output<typeof draft>['form']): EstimateForm {
  const keyed = form.jobs.map((job) => ({
    ...job,
    lines: job.lines.map((formLine) => ({ ...formLine, key: nextLineKey() })),
  }))
  return { ...form, jobs: keyed }
}
