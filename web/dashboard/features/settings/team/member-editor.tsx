import { useEffect, useRef } from 'react'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { SettingsConflictNotice } from '../kit/conflicts/settings-conflict-notice.tsx'
import type { TeamMember } from './team-api.ts'
import { useMemberEditor } from './use-member-editor.ts'

type Props = {
  /** The team member to edit; undefined adds a new team member. */
  member?: TeamMember
  onClose: () => void
}

/** The form of a team member: name and email address. */
export function MemberEditor({ member, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const editor = useMemberEditor({ element, notice, member, onSaved: onClose })
  const isOffline = useOfflineSince() !== undefined
  useEffect(() => element.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={element}
      className="member-editor"
      aria-label={member ? `Edit ${member.name}` : 'Add employee'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isOffline) editor.save()
      }}
    >
      <div ref={notice} className="settings-notice" tabIndex={-1}>
        {member && (
          <SettingsConflictNotice section="team" subject={member.name} conflict={editor.conflict} />
        )}
      </div>
      <div className="settings-columns">
        <Input {...editor.form.field('name')} label="Name" required autoComplete="off" />
        <Input
          {...editor.form.field('email')}
          label="Email"
          type="email"
          required
          autoComplete="off"
        />
      </div>
      <div className="button-group">
        <Button
          type="submit"
          compact
          level="primary"
          busy={editor.isSaving && 'Saving…'}
          disabled={isOffline}
        >
          Save
        </Button>
        <Button compact level="quiet" disabled={editor.isSaving} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
