import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

/** What accounts and clients speak. */
export const dialects = ['chat', 'messages', 'responses', 'generate'] as const
export type Spoken = (typeof dialects)[number]

/** Calls two tools at once, and two more when they have answered; its name makes Gemini strict. */
export const model = 'gemini-3-pro/tools=2+rounds=2'

export interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
  /** From now on accounts of these dialects are there, and no others. */
  serveBy(...spoken: Spoken[]): void
  /** What the accounts have been asked so far, as JSON. */
  asked(): { account: Spoken; json: Record<string, unknown>; raw: string }[]
}

/** One account for each dialect, with a key of its own: none takes the signatures of another. */
export async function startStage(
  serving: Spoken,
  options: Omit<TestGatewayOptions, 'accounts'> = {},
): Promise<Stage> {
  await using starting = new AsyncDisposableStack()
  const accounts = dialects.map((id) => ({ id, key: `key-of-${id}` }))
  const sandbox = starting.use(await startSandbox({ accounts }))
  const configured = (spoken: readonly Spoken[]) => ({ accounts: accountsOf(sandbox, spoken) })
  const gateway = starting.use(await createTestGateway({ ...options, ...configured([serving]) }))
  const started = starting.move()
  return {
    gateway,
    sandbox,
    serveBy: (...spoken) => gateway.reload(configured(spoken)),
    asked: () =>
      sandbox.requests.map(({ account, body }) => ({
        account: account as Spoken,
        json: JSON.parse(body.toString()) as Record<string, unknown>,
        raw: body.toString(),
      })),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** An account of the sandbox for each of the dialects. */
export function accountsOf({ url }: Sandbox, spoken: readonly Spoken[]) {
  return spoken.map((id) => ({
    id,
    provider: 'sandbox',
    baseUrl: url,
    apiKey: `key-of-${id}`,
    speaks: [id],
    models: ['*', model],
  }))
}
