import type { InputOf } from '#contracts/commands/command.ts'
import { teamCommands } from '#contracts/team.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { accepted, refused } from '#domain/result.ts'
import { writeInvitation } from '#emails/team/invitation.ts'
import type { Query } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { createInvitationToken, hashOfToken, readInvitation } from './invitations.ts'

export type InvitationContext = {
  readonly currentShop: CurrentShop
  readonly publicUrl: string
  readonly canSendEmail: () => boolean
}

/** Invites a team member with any role except owner. */
export const inviteCommand = (context: InvitationContext) =>
  defineCommand(teamCommands.invite, {
    async asStaff(query, input) {
      const { token, role } = await insertInvitation(query, input)
      return role === 'owner' ? refused({ code: 'STEP_UP_REQUIRED' }) : accepted(token)
    },
    asServer: async (query, { invitationId }, token) =>
      accepted({
        username: await sendInvitation(context, query, invitationId, token),
        isEmailSetUp: context.canSendEmail(),
      }),
  })

/** Invites an owner. Requires step-up authentication (a recent confirmation with a password or passkey). */
export const inviteOwnerCommand = (context: InvitationContext) =>
  defineCommand(teamCommands.inviteOwner, {
    asStaff: async (query, input) => accepted((await insertInvitation(query, input)).token),
    asServer: async (query, { invitationId }, token) =>
      accepted({
        username: await sendInvitation(context, query, invitationId, token),
        isEmailSetUp: context.canSendEmail(),
      }),
  })

/**
 * Stores an invitation. If the invitation resets the password of an existing account, the database uses the role of
 * that account instead of the entered role.
 */
async function insertInvitation(query: Query, input: InputOf<typeof teamCommands.invite>) {
  const { invitationId, accountId, name, email, role } = input
  const token = createInvitationToken()
  const [row] = await query(
    `insert into public.staff_invitations (id, name, email, role, account_id, token_hash)
     values ($1, $2, $3, $4, $5, $6) returning role`,
    [invitationId, name, email, role, accountId, hashOfToken(token)],
  )
  return { token, role: row?.role }
}

/**
 * Creates a new link for an open invitation, which invalidates the link that was sent before, and emails the new link.
 */
export const sendAgainCommand = (context: InvitationContext) =>
  defineCommand(teamCommands.sendAgain, {
    async asStaff(query, { invitationId }) {
      const token = createInvitationToken()
      const changed = await query(
        'update public.staff_invitations set token_hash = $2 where id = $1 returning id',
        [invitationId, hashOfToken(token)],
      )
      return changed.length === 1 ? accepted(token) : refused({ code: 'TEAM_CHANGED' })
    },
    async asServer(query, { invitationId }, token) {
      await sendInvitation(context, query, invitationId, token)
      return accepted({})
    },
  })

export const takeBackCommand = defineCommand(teamCommands.takeBack, {
  async asStaff(query, { invitationId }) {
    const changed = await query(
      'update public.staff_invitations set taken_back_at = now() where id = $1 returning id',
      [invitationId],
    )
    return changed.length === 1 ? accepted(undefined) : refused({ code: 'TEAM_CHANGED' })
  },
  asServer: async () => accepted({}),
})

/** Queues the invitation email with the link. Returns the username that the email mentions. */
async function sendInvitation(
  { currentShop, publicUrl }: InvitationContext,
  query: Query,
  invitationId: string,
  token: string,
): Promise<string> {
  const invitation = await readInvitation(query, invitationId)
  if (!invitation) throw new Error('The database did not store the invitation')
  await queueEmail(
    query,
    writeInvitation(currentShop(), {
      ...invitation,
      url: `${publicUrl}/join/${token}`,
      dedupeKey: `invitation:${hashOfToken(token).toString('hex')}`,
    }),
  )
  return invitation.username
}
