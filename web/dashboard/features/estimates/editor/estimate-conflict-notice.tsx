import { VersionConflictNotice } from '#web/dashboard/kit/forms/version-conflict-notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { documentOf } from '../form/estimate-form.ts'
import { changesBetween } from '../form/merge-jobs.ts'
import type { EstimateEditing } from '../form/use-estimate-form.ts'

type Props = { editing: EstimateEditing; taxRate: number }

/**
 * The notice that another team member saved the estimate while the user edited the same estimate. The notice names that
 * team member and the changes, and lets the user choose a version.
 */
export function EstimateConflictNotice({ editing, taxRate }: Props) {
  const { saving, saved, draft, record } = editing
  if (saving.state !== 'version_conflict' || !draft) return null
  const changes = changesBetween(
    documentOf(draft.base).document,
    documentOf(saved.form).document,
    taxRate,
  )
  return (
    <VersionConflictNotice
      change={{ by: saved.savedBy, at: saved.savedAt, now: saving.detectedAt }}
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
      <div className="button-group">
        <Button compact level="strong" onClick={editing.conflict.keepMine}>
          Keep my changes
        </Button>
        <Button compact onClick={record.discard}>
          Use <StaffName username={saved.savedBy} at={saved.savedAt} />
          ’s version
        </Button>
      </div>
    </VersionConflictNotice>
  )
}
