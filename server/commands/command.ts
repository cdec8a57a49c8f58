import { existsSync } from 'node:fs'
import { type Config, readConfig } from '#server/config.ts'
import { StartupError } from '@local/postgres'

/**
 * Reads the settings from `.env` and the environment variables. If a setting is invalid, prints the problems and
 * ends the process.
 */
function readSettings(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const settings = readConfig(process.env)
  if (settings.ok) return settings.value
  console.error('These settings are invalid (see .env.example):')
  for (const problem of settings.refusal) console.error(`  ${problem}`)
  process.exit(1)
}

/** Runs a command line program that the owner of the shop started. Prints the message of a `StartupError` without a stack trace. */
export async function runCommand(work: (config: Config) => Promise<void>): Promise<void> {
  const config = readSettings()
  try {
    await work(config)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    console.error(`\n${error.message}`)
    process.exit(1)
  }
}
