import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useRef } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { SettingsConflictNotice } from './conflicts/settings-conflict-notice.tsx'
import { SectionBody } from './section-body.tsx'
import { SectionHistory } from './history/section-history.tsx'
import { pollMs } from './poll-ms.ts'
import {
  settingsRowKey,
  type SettingsRowState,
  type SettingsRow,
  useSettingsRow,
} from './use-settings-row.ts'

type Props<Form extends object> = {
  row: SettingsRow<Form>
  /**
   * A component that shows the typed values as customers will see them. `changed` contains the names of the unsaved
   * fields.
   */
  Preview?: ComponentType<{ values: Form; changed: readonly (keyof Form & string)[] }>
  /** The cards of the form. */
  children: (section: SettingsRowState<Form>) => ReactNode
  /**
   * Further cards that are saved separately from the form, and the settings sections of these cards. The history on
   * this page also lists the changes of these sections.
   */
  more?: { readonly cards: ReactNode; readonly sections: readonly SettingsSection[] }
}

/**
 * A settings section that is stored as one database row. Shows the form, or, until the data is loaded, a loading or
 * error state.
 */
export function SettingsRowSection<Form extends object>(props: Props<Form>) {
  const { section, read } = props.row
  const query = useQuery({
    queryKey: settingsRowKey(section),
    queryFn: read,
    refetchInterval: pollMs,
  })
  if (query.data) return <LoadedSection {...props} saved={query.data} />
  return (
    <SectionBody>
      {query.isError ? (
        <LoadFailure
          title="These settings could not be loaded."
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton className="settings-skeleton" />
      )}
    </SectionBody>
  )
}

function LoadedSection<Form extends object>({
  row,
  saved,
  Preview,
  children,
  more,
}: Props<Form> & { saved: Saved<Form> }) {
  const element = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const section = useSettingsRow(row, saved, { element, notice })
  return (
    <SectionBody
      preview={Preview && <Preview values={section.values} changed={section.changed} />}
      history={<SectionHistory sections={[row.section, ...(more?.sections ?? [])]} />}
    >
      <div ref={notice} className="settings-notice" tabIndex={-1}>
        <SettingsConflictNotice section={row.section} conflict={section.conflict} />
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
        {/*
         * Enter submits a form only if the form has a submit button. The visible button is outside the form, in the
         * save bar.
         */}
        <button type="submit" hidden>
          Save
        </button>
      </form>
      {more?.cards}
    </SectionBody>
  )
}
