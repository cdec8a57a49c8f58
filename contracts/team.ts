import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'
import { ownerCommand } from '#contracts/commands/command.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { type StaffRole, staffRole } from './staff-accounts.ts'

/** The longest name of a staff account, as in the database. */
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

/** `isEmailSetUp` is false when the email with the link stays in the outbox. */
const sent = z.object({ username: z.string(), isEmailSetUp: z.boolean() })

/** The commands of the page 'Team' (docs/product.md 6.11). */
export const teamCommands = {
  /** Sends the link that makes a staff account, or renews the sign-in of `accountId`. The page makes `invitationId`. */
  invite: ownerCommand('invite-staff', invited, sent),
  /** The same for an owner. */
  inviteOwner: ownerCommand('invite-owner', invited, sent, {
    stepUp: true,
  }),
  /** Sends a new link; the former one stops working. */
  sendAgain: ownerCommand('send-invitation-again', z.object({ invitationId: z.uuid() }), done),
  takeBack: ownerCommand('take-invitation-back', z.object({ invitationId: z.uuid() }), done),
  /** Changes the role that the page showed. */
  changeRole: ownerCommand(
    'change-staff-role',
    z.object({ accountId: z.uuid(), seenRole: staffRole, role: staffRole }),
    done,
    { stepUp: true },
  ),
  rename: ownerCommand('rename-staff', z.object({ accountId: z.uuid(), name }), done),
  /** Ends the sign-in of a person, and gives the open tasks to another employee, or to nobody. */
  switchOff: ownerCommand(
    'switch-staff-off',
    z.object({ accountId: z.uuid(), giveTasksTo: z.nullable(z.uuid()) }),
    z.object({ givenTasks: z.int() }),
  ),
  switchOn: ownerCommand('switch-staff-on', z.object({ accountId: z.uuid() }), done),
}

/** The ways in which each team member can sign in, for the marks of the page 'Team' (docs/product.md 11.5). */
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

/** An open invitation, as whoever has its link reads it. */
export type OpenInvitation = {
  readonly name: string
  readonly role: StaffRole
  readonly username: string
  readonly inviterName: string
  /** ISO 8601. */
  readonly expiresAt: string
}
