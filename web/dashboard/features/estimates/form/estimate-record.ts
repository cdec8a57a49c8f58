import type { Estimate } from '#contracts/estimates/estimates.ts'
import { isSame } from '#web/dashboard/kit/forms/merge-fields.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { RecordRules } from '#web/dashboard/kit/forms/versioned-form.ts'
import { documentOf, type EstimateForm, formOfDocument, keepLineKeys } from './estimate-form.ts'
import { mergeJobs } from './merge-jobs.ts'

/** A saved estimate, converted to the values of its form. */
export type EstimateRecord = Saved<EstimateForm> & {
  readonly savedAt: string
  /** The name of the team member who saved the estimate; '' if this page saved it. */
  readonly savedBy: string
}

export function recordOf({
  document,
  version,
  savedAt,
  savedBy,
}: Pick<Estimate, 'document' | 'version' | 'savedAt' | 'savedBy'>): EstimateRecord {
  return { form: formOfDocument(document), version, savedAt, savedBy }
}

/**
 * The rules by which the form edits and saves an estimate. The form saves itself after a pause in typing. If another
 * user has saved a conflicting version since this page read the estimate, the user first chooses between the versions.
 */
export const estimateRules = {
  othersChanges: 'chosen',
  autosave: { pauseMs: 700, retryMs: 5_000 },
  merges: { jobs: mergeJobs },
  isSameRecord: (one, other) => isSame(documentOf(one).document, documentOf(other).document),
  problemsOf: (form) => documentOf(form).problems,
  keepKeys: keepLineKeys,
} satisfies Partial<RecordRules<EstimateForm, EstimateRecord>>
