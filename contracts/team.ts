import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'
import { ownerCommand } from '#contracts/commands/command.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { type StaffRole, staffRole } from './staff-accounts.ts'

/** The maximum length of a staff account's name; the database enforces the same limit. */
const longestStaffName = 80

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(longestStaffName))
const email = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.refine(isEmailAddress), z.maxLength(254))
const done = z.object({})

const invited = z.object({
  invitationId: z.uuid(),
  accountId: z.nullable(z.uuid()),
  name,
  email,
  role: staffRole,
})

/**
 * `isEmailSetUp` is false when no mail server is configured; the email with the invitation link then stays in the
 * outbox.
 */
const sent = z.object({ username: z.string(), isEmailSetUp: z.boolean() })

/** The commands of the page 'Team' (docs/product.md 6.11). */
export const teamCommands = {
  /**
   * Emails the invitation link with which a person creates a staff account. With `accountId`, the person instead uses
   * the link to replace the password or passkey of that existing account. The dashboard creates `invitationId`.
   */
  invite: ownerCommand('invite-staff', invited, sent),
  /** The command `invite` for an account with the role owner. */
  inviteOwner: ownerCommand('invite-owner', invited, sent, {
    stepUp: true,
  }),
  /** Emails a new invitation link; the previous link stops working. */
  sendAgain: ownerCommand('send-invitation-again', z.object({ invitationId: z.uuid() }), done),
  takeBack: ownerCommand('take-invitation-back', z.object({ invitationId: z.uuid() }), done),
  /**
   * Changes the role of an account. The server refuses the command when the account no longer has the role that the
   * page 'Team' showed.
   */
  changeRole: ownerCommand(
    'change-staff-role',
    z.object({ accountId: z.uuid(), seenRole: staffRole, role: staffRole }),
    done,
    { stepUp: true },
  ),
  rename: ownerCommand('rename-staff', z.object({ accountId: z.uuid(), name }), done),
  /**
   * Deactivates the sign-in of a team member, and assigns this person's open tasks to another employee or to nobody.
   */
  switchOff: ownerCommand(
    'switch-staff-off',
    z.object({ accountId: z.uuid(), giveTasksTo: z.nullable(z.uuid()) }),
    z.object({ givenTasks: z.int() }),
  ),
  switchOn: ownerCommand('switch-staff-on', z.object({ accountId: z.uuid() }), done),
}

/** The ways in which each team member can sign in, which the page 'Team' shows (docs/product.md 11.5). */
export const signInWaysEndpoint = {
  method: 'GET',
  path: '/api/admin/accounts/sign-in-ways',
  rights: 'owner',
  response: z.object({
    ok: z.literal(true),
    accounts: z.array(
      z.object({
        id: z.string(),
        /** The number of passkeys that work at this site. */
        passkeys: z.int(),
        hasPassword: z.boolean(),
        hasCodeApp: z.boolean(),
        /** Whether the person has a PIN for the shared tablets. */
        hasPin: z.boolean(),
      }),
    ),
  }),
} satisfies Endpoint

export type SignInWays = ResponseOf<typeof signInWaysEndpoint>['accounts'][number]

/** An open invitation, as everyone who has its link can read it. */
export type OpenInvitation = {
  readonly name: string
  readonly role: StaffRole
  readonly username: string
  readonly inviterName: string
  /** The time at which the invitation expires: ISO 8601. */
  readonly expiresAt: string
}
