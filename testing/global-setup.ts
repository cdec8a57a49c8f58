import type { TestProject } from 'vitest/node'
import { startTestServer } from './test-server.ts'

/** One PostgreSQL for the whole run, with one prepared database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  project.provide('testServer', { ownerUrl: server.ownerUrl, template: server.template })
  return () => server.stop()
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: { ownerUrl: string; template: string }
  }
}
