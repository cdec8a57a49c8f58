import { type ComponentType, type ReactNode, useRef } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import type { FormValues } from './draft.ts'
import { VersionConflictNotice } from './conflicts/version-conflict-notice.tsx'
import { SectionBody } from './section-body.tsx'
import { SectionHistory } from './history/section-history.tsx'
import { type SettingsRowState, type SettingsRow, useSettingsRow } from './use-settings-row.ts'

type Props<Form extends FormValues> = {
  row: SettingsRow<Form>
  /** What customers see of these values; `changed` are the fields that are not saved. */
  Preview?: ComponentType<{ values: Form; changed: readonly (keyof Form & string)[] }>
  /** The cards of the form. */
  children: (section: SettingsRowState<Form>) => ReactNode
  /** What else belongs to the section and is saved by itself, with the sections of its history. */
  more?: { readonly cards: ReactNode; readonly sections: readonly SettingsSection[] }
}

/** A section of one row, drawn: loading, failed, or its form with what others changed meanwhile above it. */
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
          <Notice tone="bad" title="These settings could not be loaded.">
            <button type="button" className="action" onClick={section.retry}>
              Try again
            </button>
          </Notice>
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
          <VersionConflictNotice section={row.section} count={section.missedChanges} />
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
        {/* Without one, Enter in a field saves nothing; the one that people see is the bar's. */}
        <button type="submit" hidden>
          Save
        </button>
      </form>
      {more?.cards}
    </SectionBody>
  )
}
