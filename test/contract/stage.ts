import { type Answer, type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'

/** An account that takes everything, in one dialect. */
export interface AccountKind {
  /** The id of the dialect. */
  readonly dialect: string
  readonly provider: 'openai' | 'gemini' | 'anthropic'
  readonly answer: Answer
}

/** A gateway in front of one account. */
export interface ProbeStage extends AsyncDisposable {
  /** The id of the account's dialect. */
  readonly dialect: string
  readonly gateway: TestGateway
  readonly account: FakeAccount
}

/** Starts a gateway in front of one account of this kind, which has every model. */
export async function probeStage(
  { dialect, provider, answer }: AccountKind,
  options: Omit<TestGatewayOptions, 'accounts'> = {},
): Promise<ProbeStage> {
  await using starting = new AsyncDisposableStack()
  const account = starting.use(await startFakeAccount(answer))
  const baseUrl = provider === 'openai' ? `${account.url}/v1` : account.url
  const setting = { id: 'a', provider, baseUrl, apiKey: 'the-secret', models: ['*'] }
  const gateway = starting.use(
    await createTestGateway({ ...options, accounts: [{ ...setting, speaks: [dialect] }] }),
  )
  const started = starting.move()
  return { dialect, gateway, account, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
