import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { model, type Spoken } from './stage.ts'

type Id = 'a' | 'b'

interface Given {
  /** The one that is asked first. */
  readonly first: Id
  /** An account that is there, and fails whatever it is asked. */
  readonly failing?: Id
  /** All of them, unless told. */
  readonly there?: readonly Id[]
}

/** Two accounts of one dialect, neither of which takes what the other one has signed. */
export async function startPair(account: Spoken, given: Given) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const accountsFor = ({ first, failing, there = ['a', 'b'] }: Given) =>
    there.map((id) => ({
      id,
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${id}`,
      speaks: [account],
      models: { [model]: id === failing ? 'sandbox/status=503' : model },
      priority: id === first ? 0 : 1,
    }))
  const gateway = starting.use(await createTestGateway({ accounts: accountsFor(given) }))
  const started = starting.move()
  return {
    gateway,
    sandbox,
    become: (next: Given) => gateway.reload({ accounts: accountsFor(next) }),
    /** Which accounts have been asked so far, in their order. */
    whoWasAsked: () => sandbox.requests.map((request) => request.account),
    lastAsked: () => sandbox.requests.at(-1)!.body.toString(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
