import { VersionConflictNotice } from '#web/dashboard/kit/forms/version-conflict-notice.tsx'
import type { Autosave, AutosaveState } from '../form/estimate-autosave.ts'
import { changesBetween } from '../form/merge-forms.ts'

type Props = { editing: Autosave; state: AutosaveState; taxRate: number }

/**
 * Shown when someone else saved the estimate during editing: names the person and the changes, and offers to keep
 * either version.
 */
export function EstimateConflictNotice({ editing, state, taxRate }: Props) {
  const { saving, base } = state
  if (saving.state !== 'version_conflict') return null
  const { theirs, detectedAt } = saving
  const changes = changesBetween(base, theirs.document, taxRate)
  return (
    <VersionConflictNotice
      change={{ by: theirs.savedBy, at: theirs.savedAt, now: detectedAt }}
      details={
        <ul className="estimate-changes">
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      }
    >
      <p>
        Your changes are still here but not saved. Keeping them replaces only the jobs and fields
        that you changed.
      </p>
      <div className="action-row">
        <button type="button" className="action action-strong" onClick={editing.keepMine}>
          Keep my changes
        </button>
        <button type="button" className="action" onClick={editing.takeTheirs}>
          Use {theirs.savedBy}’s version
        </button>
      </div>
    </VersionConflictNotice>
  )
}
