import { parseArgs } from 'node:util'
import { confirm } from './ask-owner.ts'
import { runCommand } from './command.ts'
import {
  countOpenLinks,
  type OpenLinks,
  rotateLinkKey,
} from '#server/platform/keys/rotate-link-key.ts'
import { connectCommand } from '#server/platform/database/connect-command.ts'
import { StartupError } from '@local/postgres'

const usage = `Replaces a key of the site after a theft, also while the site runs.

  npm run rotate-keys -- --links   invalidates every link in the emails to customers; shows how many and asks
                                   first, --yes does not ask

A restore replaces all other keys.`

// `npm run rotate-keys -- --links` invalidates all links in sent emails, for example after emails or a backup were
// stolen.
await runCommand(async (config) => {
  const { needsConfirmation } = readArguments()
  const { ownerUrl, stop } = await connectCommand(config)
  try {
    console.log(describe(await countOpenLinks(ownerUrl)))
    if (needsConfirmation) await confirm('Invalidate every link in the emails to customers?')
    await rotateLinkKey(ownerUrl, config.dataDirectory)
  } finally {
    await stop()
  }
  console.log(
    'All mailed links are invalid now. Customers request a new link at /visit; send open estimates again. Copy the new contents of the folder "keys" to a safe place.',
  )
})

function describe({ appointments, upcoming, estimates, unanswered }: OpenLinks): string {
  return `These links stop working: ${appointments} appointment links (${upcoming} upcoming) and ${estimates} estimate links (${unanswered} undecided).`
}

function readArguments(): { needsConfirmation: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        links: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    })
    if (values.links) return { needsConfirmation: !values.yes }
  } catch {
    // An unknown option makes `parseArgs` throw. The command then prints its usage, which lists the valid options.
  }
  throw new StartupError(usage)
}
