import OpenAI from 'openai-7'

import type { AccountConfig } from '../../../src/configuration/config.generated.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

export interface ImageStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
  readonly openai: OpenAI
  /** Posts a form with these parts in this order. */
  form(parts: readonly Part[], path?: string): Promise<Response>
  /** Posts a body of this type as it is. */
  raw(type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response>
  /** Posts JSON. */
  json(body: object, path?: string): Promise<Response>
}

export type Part = [name: string, value: string | File]

type Options = Omit<TestGatewayOptions, 'accounts'> & {
  readonly accounts?: readonly Partial<AccountConfig>[]
}

export const editsPath = '/v1/images/edits'

/** A gateway in front of the sandbox, whose account `a` has every model unless a test says otherwise. */
export async function imageStage({
  accounts = [{}],
  ...options
}: Options = {}): Promise<ImageStage> {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const gateway = starting.use(
    await createTestGateway({
      ...options,
      accounts: accounts.map((account) => ({
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: `sandbox-key-${account.id ?? 'a'}`,
        models: ['*'],
        ...account,
      })),
    }),
  )
  const post = (path: string, body: BodyInit, type?: string) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, ...(type && { 'content-type': type }) },
      body,
    })
  const started = starting.move()
  return {
    gateway,
    sandbox,
    openai: new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 }),
    form(parts, path = editsPath) {
      const form = new FormData()
      for (const [name, value] of parts) form.append(name, value)
      return post(path, form)
    },
    raw: (type, body) => post(editsPath, body, type),
    json: (body, path = editsPath) => post(path, JSON.stringify(body), 'application/json'),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** A refusal in the general envelope: its status, and the field that it is about. */
export async function refusalIn(response: Response): Promise<{
  status: number
  param: unknown
  message: string
}> {
  const { error } = (await response.json()) as { error: { code: number } & Record<string, unknown> }
  if (error.code !== response.status || !Array.isArray(error['details'])) {
    throw new Error(`This is no envelope: ${JSON.stringify(error)}`)
  }
  return { status: response.status, param: error['param'], message: String(error['message']) }
}
