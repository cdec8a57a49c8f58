import type { FastifyInstance } from 'fastify'
import { signInWaysEndpoint, teamCommands } from '#contracts/team.ts'
import { accepted } from '#domain/result.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import {
  changeRoleCommand,
  renameCommand,
  switchOffCommand,
  switchOnCommand,
} from './change-accounts.ts'
import {
  type InvitationContext,
  inviteCommand,
  inviteOwnerCommand,
  sendAgainCommand,
  takeBackCommand,
} from './invite-staff.ts'
import { readSignInWays } from './read-sign-in-ways.ts'

/**
 * Registers the endpoint that lists how team members sign in, and the commands of the Team page in the dashboard
 * (docs/product.md 6.11).
 */
export function registerTeam(
  app: FastifyInstance,
  services: CommandDependencies & InvitationContext,
): void {
  const { invite, sendAgain, takeBack, changeRole, rename, switchOff, switchOn } = teamCommands
  serve(app, signInWaysEndpoint).with({
    limit: [{ name: 'team', max: 60, windowSeconds: 60 }],
    handle: async () =>
      accepted(await readSignInWays(services.database, new URL(services.publicUrl).hostname)),
    present: (accounts) => ({ ok: true, accounts }),
  })
  serve(app, invite).with(commandRoute(services, inviteCommand(services)))
  serve(app, teamCommands.inviteOwner).with(commandRoute(services, inviteOwnerCommand(services)))
  serve(app, sendAgain).with(commandRoute(services, sendAgainCommand(services)))
  serve(app, takeBack).with(commandRoute(services, takeBackCommand))
  serve(app, changeRole).with(commandRoute(services, changeRoleCommand))
  serve(app, rename).with(commandRoute(services, renameCommand))
  serve(app, switchOff).with(commandRoute(services, switchOffCommand))
  serve(app, switchOn).with(commandRoute(services, switchOnCommand))
}
