import {
  createTestGateway,
  type Sandbox,
  startSandbox,
  type TestGateway,
  type TestGatewayOptions,
} from '../../../../src/testing/index.ts'
import { shout } from '../index.ts'
import type { Helper } from './clients/client.ts'
import type { DialectName } from './clients/index.ts'

/** What the clients of these tests have helpers do. */
export const lookout: Helper = {
  name: 'look_out',
  about: 'Looks out of a window.',
  takes: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

export interface ForeignScene extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
}

/** A gateway that speaks the dialect, before an account that speaks another one only. */
export async function stageForeign(
  dialect: DialectName,
  options: Omit<TestGatewayOptions, 'accounts' | 'plugins'> = {},
): Promise<ForeignScene> {
  const sandbox = await startSandbox()
  const gateway = await createTestGateway({
    ...options,
    plugins: [shout()],
    accounts: [
      {
        id: 'foreign',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        speaks: [dialect],
        models: ['sandbox/*'],
      },
    ],
  })
  return {
    gateway,
    sandbox,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox.close()
    },
  }
}
