import type { TestProject } from 'vitest/node'
import { areCallsCounted, findUnexecutedFunctions } from './database/called-functions.ts'
import { startTestServer } from '#tests/support/database/test-server.ts'

/** Starts one PostgreSQL for the whole run, with one prepared database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  project.provide('testServer', { ownerUrl: server.ownerUrl, template: server.template })
  return async () => {
    const unexecuted = areCallsCounted ? await findUnexecutedFunctions(server) : []
    await server.stop()
    if (unexecuted.length > 0) {
      throw new Error(`No test executes these functions of the database: ${unexecuted.join(', ')}`)
    }
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: { ownerUrl: string; template: string }
  }
}
