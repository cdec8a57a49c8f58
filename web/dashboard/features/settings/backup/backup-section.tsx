import { useQuery } from '@tanstack/react-query'
import type { Backup } from '#contracts/backup.ts'
import { backupQuery } from '#web/dashboard/kit/backup/backup-query.ts'
import { backupProblem, missingProtection } from '#web/dashboard/kit/backup/backup-text.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { SetupState } from '../kit/setup-state.tsx'
import { Command } from './command.tsx'
import { DrillSteps } from './drill-steps.tsx'
import { DrillsCard } from './drills-card.tsx'
import { KeyCard } from './key-card.tsx'
import { PausedEmails } from './paused-emails.tsx'
import { RestoreCard } from './restore-card.tsx'
import { ProviderCard } from './provider-card.tsx'
import { ProvenCard, TargetCard } from './state-cards.tsx'
import './backup.css'

/**
 * The settings section of the backup: its state, the storage target, the restore drills (tests that restore the
 * backup), the encryption key, and the command that restores the backup.
 */
export function BackupSection() {
  const backup = useQuery(backupQuery)
  return (
    <SectionBody
      previewTitle="What a drill does"
      preview={backup.data?.target != null && <DrillSteps isNightly={backup.data.isNightly} />}
    >
      <SetupState query={backup} what="The state of the backup">
        {backup.data && <Cards backup={backup.data} readAtMs={backup.dataUpdatedAt} />}
      </SetupState>
    </SectionBody>
  )
}

function Cards({ backup, readAtMs }: { backup: Backup; readAtMs: number }) {
  const problem = backupProblem(backup)
  const missing = missingProtection(backup, readAtMs)
  return (
    <>
      {backup.pausedEmails && <PausedEmails {...backup.pausedEmails} />}
      {backup.areNumbersUnchecked && (
        <Notice tone="warn" title="Stripe has not named its newest invoices since the restore.">
          The numbers of new invoices continue 20 above the last number in the backup. The site asks
          Stripe again for its newest invoices every ten minutes.
        </Notice>
      )}
      {backup.target === null ? (
        <NotSetUp isHosted={backup.isHosted} />
      ) : (
        <>
          {problem && (
            <Notice tone="bad" title={problem.title}>
              {problem.text}
            </Notice>
          )}
          {!problem && missing.map((title) => <Notice key={title} tone="warn" title={title} />)}
          {backup.isNightly ? (
            <ProviderCard backup={backup} readAtMs={readAtMs} />
          ) : (
            <ProvenCard backup={backup} readAtMs={readAtMs} />
          )}
          <TargetCard backup={backup} />
          <DrillsCard backup={backup} />
          {backup.key && <KeyCard {...backup.key} />}
          {backup.protectedUntil && (
            <RestoreCard
              target={backup.target}
              since={backup.restorableSince}
              at={backup.isNightly ? undefined : backup.protectedUntil}
              lostPeriods={backup.lostPeriods}
            />
          )}
        </>
      )}
    </>
  )
}

function NotSetUp({ isHosted }: { isHosted: boolean }) {
  return (
    <SettingsCard title={isHosted ? 'Only Supabase makes backups' : 'Backups are not set up'}>
      <p>
        {isHosted
          ? 'See Database, Backups in the Supabase dashboard: not every plan includes backups. For a nightly copy elsewhere, set'
          : 'If this machine fails, the records are lost. Set'}{' '}
        BACKUP_URL to a folder on another disk or to a bucket, and start the shop again.
      </p>
      <Command
        command="BACKUP_URL=s3://your-bucket npm start"
        what="The command that sets it up."
      />
    </SettingsCard>
  )
}
