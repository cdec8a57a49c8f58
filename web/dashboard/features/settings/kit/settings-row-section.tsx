import { type ComponentType, type ReactNode, useRef } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import type { FormValues } from './draft.ts'
import { SettingsConflictNotice } from './conflicts/settings-conflict-notice.tsx'
import { SectionBody } from './section-body.tsx'
import { SectionHistory } from './history/section-history.tsx'
import { type SettingsRowState, type SettingsRow, useSettingsRow } from './use-settings-row.ts'

type Props<Form extends FormValues> = {
  row: SettingsRow<Form>
  /** Previews these values as customers see them; `changed` are the unsaved fields. */
  Preview?: ComponentType<{ values: Form; changed: readonly (keyof Form & string)[] }>
  /** The cards of the form. */
  children: (section: SettingsRowState<Form>) => ReactNode
  /** Cards that are saved separately, and the sections whose changes the history also lists. */
  more?: { readonly cards: ReactNode; readonly sections: readonly SettingsSection[] }
}

/**
 * A settings section that is saved as one row. Shows a loading or error state, or the form with a notice about version
 * conflicts.
 */
export function SettingsRowSection<Form extends FormValues>({
  row,
  Preview,
  children,
  more,
}: Props<Form>) {
  const element = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const section = useSettingsRow(row, { element, notice })
  if (section.state !== 'ready')
    return (
      <SectionBody>
        {section.state === 'loading' ? (
          <Skeleton className="settings-skeleton" />
        ) : (
          <LoadFailure title="These settings could not be loaded." onRetry={section.retry} />
        )}
      </SectionBody>
    )
  return (
    <SectionBody
      preview={Preview && <Preview values={section.values} changed={section.changed} />}
      history={<SectionHistory sections={[row.section, ...(more?.sections ?? [])]} />}
    >
      <div ref={notice} className="settings-notice" tabIndex={-1}>
        {section.missedChanges > 0 && (
          <SettingsConflictNotice section={row.section} count={section.missedChanges} />
        )}
      </div>
      <form
        ref={element}
        className="settings-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          section.save()
        }}
      >
        {children(section)}
        {/* A form without a submit button does not submit on Enter. The visible button is in the save bar. */}
        <button type="submit" hidden>
          Save
        </button>
      </form>
      {more?.cards}
    </SectionBody>
  )
}
