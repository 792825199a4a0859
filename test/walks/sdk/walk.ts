import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

/** A gateway, and the sandbox behind it. */
export interface Walk extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly gateway: TestGateway
}

/** Two accounts of the sandbox: `a` is asked first, `b` is the spare. */
export async function startWalk(options: TestGatewayOptions = {}): Promise<Walk> {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const account = {
    provider: 'sandbox',
    baseUrl: sandbox.url,
    models: ['sandbox/echo', 'sandbox/*'],
  }
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        { ...account, id: 'a', apiKey: 'sandbox-key-a' },
        { ...account, id: 'b', apiKey: 'sandbox-key-b', priority: 1 },
      ],
      ...options,
    }),
  )
  const started = starting.move()
  return { sandbox, gateway, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** All that a stream says. Rejects where the stream raises. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of stream) items.push(item)
  return items
}

/** The error that a call raises, which has to be one of the SDK's own. */
export async function caught<E>(
  SdkError: abstract new (...details: never[]) => E,
  asked: Promise<unknown>,
): Promise<E> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown)
  if (error instanceof SdkError) return error
  throw new Error('An error of the SDK was due.', { cause: error })
}

/** The id of the only request, as the access log has it. */
export async function loggedId({ gateway }: Walk): Promise<unknown> {
  const [line] = await gateway.logged(1)
  return line?.request_id
}
