import { type Backup, backupEndpoints, type Drill } from '#contracts/backup.ts'
import {
  adminLogin,
  expect,
  expectAccessible,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

const proven: Drill = {
  endedAt: '2026-11-24T11:10:00Z',
  outcome: 'proven',
  reason: null,
  restoredSeconds: 72,
  tables: 41,
  rows: 18_204,
  files: 1_204,
  checkedFiles: 1_204,
  differing: [],
  object: null,
}
const healthy: Backup = {
  state: 'ok',
  target: 's3://torque-timing-backup',
  isOnSameDisk: false,
  isHosted: false,
  isNightly: false,
  isProven: true,
  badNights: 0,
  protectedUntil: '2026-11-24T20:00:00Z',
  waitingMegabytes: 0,
  waitingLimitMegabytes: 2000,
  problem: null,
  brokenSince: null,
  lostPeriods: [],
  lastFullCopyAt: '2026-11-24T11:00:00Z',
  skippedFiles: [],
  skippedFileCount: 0,
  restorableSince: '2026-10-25T10:00:07Z',
  targetBytes: 3_100_000_000,
  keepDays: 30,
  isDeletionRefused: false,
  drillAt: '03:10',
  key: { fingerprint: '252F D0CE C784', confirmedAt: '2026-11-02T20:00:00Z', confirmedBy: 'lena' },
  drills: [proven, { ...proven, endedAt: '2026-11-23T11:10:00Z', restoredSeconds: 70 }],
  runningDrill: null,
  pausedEmails: null,
  areNumbersUnchecked: false,
}
/** The content of the key file whose fingerprint is '252F D0CE C784'. */
const keyFile = 'a-key-of-the-backup-with-43-characters-0123'

/**
 * Replaces the responses of the backup endpoints, because a real backup needs a backup target and takes minutes. The
 * responses contain the given states in order; each POST request advances to the next state.
 */
async function answerWith(page: Page, ...states: readonly Backup[]): Promise<string[]> {
  const posts: string[] = []
  await page.route('**/api/backup**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (route.request().method() === 'POST') posts.push(pathname)
    const state = states[Math.min(posts.length, states.length - 1)]
    await route.fulfill({ json: { ok: true, ...state } })
  })
  return posts
}

async function open(page: Page): Promise<void> {
  await page.clock.setFixedTime(new Date('2026-11-24T20:00:41Z'))
  await page.goto('/admin-dashboard/settings/backup')
  await expect(page.getByRole('heading', { name: 'Key' })).toBeVisible()
}

test.beforeEach(({ page }) => signIn(page))

test('The settings show the age of the last backup that a restore drill proved, and the result of the drill @phone', async ({
  page,
}) => {
  await answerWith(page, healthy)
  await open(page)
  const card = page.getByRole('region', { name: 'Last proven backup' })
  await expect(card).toContainText('Restored and checked in 1 min 12 s')
  await expect(card).toContainText('41 s would be lost if this machine burned now')
  await expect(page.getByRole('region', { name: 'Where it goes' })).toContainText('3.1 GB used')
  const drills = page.getByRole('table', { name: 'Drills' }).getByRole('row')
  await expect(drills).toHaveCount(3)
  await expect(drills.nth(1).getByRole('rowheader')).toHaveText('Tue, Nov 24, 3:10 AM')
  await expect(drills.nth(1).getByRole('cell')).toHaveText([
    'Proven',
    '1 min 12 s',
    '41 tables, 18,204 rows, ledger to the cent, all 1,204 files',
  ])
  await expect(page.getByText('30 days (BACKUP_KEEP_DAYS where the site runs)')).toBeVisible()
  const steps = page.getByRole('complementary', { name: 'What a drill does' })
  await expect(steps.getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('region', { name: 'Restore' })).toContainText(
    'The shop can be restored to any second from October 25, 2026, 3:01 AM, to November 24, 2026, 12:00 PM.',
  )
  await expectAccessible(page)
})

test('The settings and the Today page name the files that the backup lacks @phone', async ({
  page,
}) => {
  await answerWith(page, {
    ...healthy,
    state: 'late',
    skippedFiles: [{ path: 'photos/a.jpg', problem: 'unreadable' }],
    skippedFileCount: 1,
  })
  await open(page)
  const text = 'The backup lacks files of DATA_DIR: photos/a.jpg (the site cannot read it).'
  await expect(page.getByText(text)).toBeVisible()
  await expectAccessible(page)
  await page.goto('/admin-dashboard/today')
  await expect(page.locator('.today-backup')).toContainText(text)
})

test('With a managed database, the settings state who stores the write-ahead log and what could be lost @phone', async ({
  page,
}) => {
  await answerWith(page, {
    ...healthy,
    isNightly: true,
    protectedUntil: '2026-11-24T11:00:00Z',
    restorableSince: null,
  })
  await open(page)
  const card = page.getByRole('region', {
    name: 'Your database provider keeps the write-ahead log',
  })
  await expect(card).toContainText('last proven November 24, 2026, 3:10 AM')
  await expect(card).toContainText('Up to 24 hours could be lost')
  await expect(card).toContainText('the changes of the last 9 h')
  await expect(page.getByRole('region', { name: 'Last proven backup' })).toBeHidden()
  await expect(page.getByText('A full copy each day at 3:00 AM')).toBeVisible()
  await expect(page.getByText(/can be restored to any second/)).toBeHidden()
  await expect(page.getByRole('region', { name: 'Restore' })).toContainText(
    'With --at and a date and time at the shop, the command restores the newest copy that ended before that time.',
  )
  await expect(page.getByText('npm run restore -- --from s3://torque-timing-backup')).toHaveText(
    /torque-timing-backup$/,
  )
  await expectAccessible(page)
})

test('With a hosted Supabase project, the settings state who stores the write-ahead log and the passwords @phone', async ({
  page,
}) => {
  await answerWith(page, {
    ...healthy,
    isHosted: true,
    isNightly: true,
    protectedUntil: '2026-11-24T11:00:00Z',
    restorableSince: null,
  })
  await open(page)
  const card = page.getByRole('region', { name: 'Supabase keeps the write-ahead log' })
  await expect(card).toContainText('last proven November 24, 2026, 3:10 AM')
  await expect(card).toContainText('Up to 24 hours could be lost')
  await expect(card).toContainText('The copy contains no passwords')
  await expectAccessible(page)
})

test('With a hosted Supabase project and without BACKUP_URL, the settings state that only the project makes backups @phone', async ({
  page,
}) => {
  const off: Backup = { ...healthy, state: 'off', target: null, isHosted: true, key: null }
  await answerWith(page, { ...off, protectedUntil: null, drills: [] })
  await page.goto('/admin-dashboard/settings/backup')
  const card = page.getByRole('region', { name: 'Only Supabase makes backups' })
  await expect(card).toContainText('set BACKUP_URL to a folder on another disk or to a bucket')
  await expectAccessible(page)
})

test('A running restore drill shows its step and can be stopped', async ({ page }) => {
  const runningDrill = { step: 'comparing', since: '2026-11-24T19:58:00Z' } as const
  const posts = await answerWith(page, healthy, { ...healthy, runningDrill }, healthy)
  await open(page)
  await page.getByRole('button', { name: 'Run a drill now' }).click()
  await expect(page.getByText('Drill since 11:58 AM.')).toBeVisible()
  await expect(page.getByText('Step 4 of 4')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop the drill' }).click()
  await expect(page.getByRole('button', { name: 'Run a drill now' })).toBeVisible()
  expect(posts).toEqual([backupEndpoints.drill.path, backupEndpoints.stopDrill.path])
})

test('One press makes the site try again to contact a backup target that does not respond', async ({
  page,
}) => {
  const problem = {
    kind: 'unreachable',
    message: 'The backup folder cannot be used (ENOENT).',
    since: '2026-11-24T19:46:00Z',
  } as const
  const posts = await answerWith(page, { ...healthy, state: 'failed', problem }, healthy)
  await open(page)
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'The backup folder cannot be used (ENOENT).' })
  await expect(alert).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(alert).toBeHidden()
  expect(posts).toEqual([backupEndpoints.send.path])
})

test('When the local spool (the folder of unsent segments) is full, the settings show since when changes exist only on this machine, and announce a full copy @phone', async ({
  page,
}) => {
  const since = '2026-11-24T17:10:00Z'
  const problem = { kind: 'full', message: 'The target is full.', since } as const
  const stopped: Backup = {
    ...healthy,
    state: 'failed',
    isProven: false,
    protectedUntil: null,
    brokenSince: since,
    problem,
    waitingMegabytes: 2000,
  }
  const until = '2026-11-24T19:30:00Z'
  const back = { ...healthy, lostPeriods: [{ from: since, to: until }] }
  await answerWith(page, stopped, back)
  await open(page)
  const alert = page.getByRole('alert').filter({ hasText: 'Backups have stopped' })
  await expect(alert).toContainText('Changes since Nov 24, 9:10 AM are only on this machine.')
  await expect(alert).toContainText('A new full copy is made when the target answers.')
  await expect(page.getByText('stops at 2.0 GB')).toBeVisible()
  await expect(page.getByText('BACKUP_KEEP_DAYS is 30 now.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(alert).toBeHidden()
  const lost = page.getByRole('list', { name: 'Periods that cannot be restored' })
  await expect(lost).toHaveText('Nov 24, 9:10 AM to Nov 24, 11:30 AM')
  await expectAccessible(page)
})

test('The Today page mentions one failed restore drill only in its last line, and warns after two failed drills @phone', async ({
  page,
}) => {
  const bad: Drill = { ...proven, outcome: 'not_drilled', reason: 'full', restoredSeconds: null }
  const older = { ...proven, endedAt: '2026-11-22T11:10:00Z' }
  let state: Backup = { ...healthy, state: 'failed', badNights: 1, drills: [bad, older] }
  await page.route('**/api/backup**', (route) => route.fulfill({ json: { ok: true, ...state } }))
  await page.goto('/admin-dashboard/today')
  const line = page.locator('.today-backup')
  const warning = page.getByRole('alert').filter({ hasText: 'No proven backup' })
  await expect(line).toContainText('The target is full.')
  await expect(warning).toBeHidden()
  state = { ...state, badNights: 2, drills: [bad, bad, older] }
  await page.reload()
  await expect(warning).toContainText('No proven backup since Nov 22, 3:10 AM.')
  await expectAccessible(page)
  state = { ...healthy, state: 'late', isProven: false, drills: [] }
  await page.reload()
  await expect(line).toContainText('The shop is not protected yet: no restore drill has proven')
  await expect(warning).toBeHidden()
})

test('The browser compares a copy of the backup key with the key of the site, and does not send the copy', async ({
  page,
}) => {
  const posts = await answerWith(page, healthy)
  await open(page)
  await page.getByRole('button', { name: 'Check a copy…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Check a copy of the key' })
  const choose = (content: string) =>
    dialog
      .getByLabel('Key file')
      .setInputFiles({ name: 'backup.key', mimeType: 'text/plain', buffer: Buffer.from(content) })
  await choose(`${keyFile}\n`)
  await expect(dialog.getByText('This key file opens the backup.')).toBeVisible()
  await expectAccessible(page)
  await choose('another file')
  const alert = dialog.getByRole('alert').filter({ hasText: 'does not open the backup.' })
  await expect(alert).toContainText('made with 252F D0CE C784')
  expect(posts).toEqual([])
})

test('The backup key file is downloaded after the password was confirmed', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/403/)
  const notConfirmed: Backup = {
    ...healthy,
    key: { fingerprint: '252F D0CE C784', confirmedAt: null, confirmedBy: null },
  }
  await answerWith(page, notConfirmed)
  let isConfirmed = false
  await page.route(`**${backupEndpoints.keyFile.path}`, (route) =>
    isConfirmed
      ? route.fulfill({ json: { ok: true, content: keyFile } })
      : route.fulfill({
          status: 403,
          json: {
            ok: false,
            code: 'STEP_UP_REQUIRED',
            message: 'Confirm your password first.',
          },
        }),
  )
  await open(page)
  await expect(page.getByText('Only on this machine')).toBeVisible()
  await page.getByRole('button', { name: 'Save the key file' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  isConfirmed = true
  const download = page.waitForEvent('download')
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  expect((await download).suggestedFilename()).toBe('backup.key')
  await expect(notification(page)).toContainText('Key file saved')
})

test('A restored shop lists its queued emails, and sends them after one press @phone', async ({
  page,
}) => {
  const email = {
    id: '0b5c0000-0000-4000-8000-000000000001',
    subject: 'Your appointment is confirmed',
    recipient: 'maria@customer.example',
    queuedAt: '2026-11-24T19:00:00Z',
  }
  const pausedEmails = { waiting: 3, recoveredUntil: '2026-11-24T18:59:00Z', emails: [email] }
  await answerWith(page, { ...healthy, pausedEmails, areNumbersUnchecked: true }, healthy)
  await open(page)
  const waiting = page.getByRole('list', { name: 'Waiting emails' })
  await expect(waiting).toContainText('Your appointment is confirmed')
  await expect(waiting).toContainText('To maria@customer.example')
  await expect(page.getByText('These are the oldest 1.')).toBeVisible()
  await expect(page.getByText('The numbers of new invoices continue 20 above')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(waiting).toBeHidden()
})
