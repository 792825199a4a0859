import type { AccountConfig } from '../../../src/configuration/config.generated.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import { type Collector, startCollector } from './collector.ts'
import type { ReceivedSpan } from './spans.ts'
import { wholeTrace } from './whole.ts'

type TracesSettings = Exclude<
  NonNullable<TestGatewayOptions['telemetry']>['traces'],
  boolean | undefined
>

export interface TracedStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly collector: Collector
  /** Sends JSON with the key, or asks without a body. */
  ask(path: string, body?: object, headers?: Record<string, string>): Promise<Response>
  /** Ends the gateway, which exports its last spans, and returns the one trace of a reply. */
  traceOf(response: Response): Promise<ReceivedSpan[]>
}

interface Options extends Omit<TestGatewayOptions, 'accounts' | 'telemetry'> {
  readonly accounts?: readonly Partial<AccountConfig>[]
  readonly traces?: TracesSettings
}

/** A gateway with traces in front of the sandbox, whose account `a` has every model. */
export async function tracedStage({
  accounts = [{}],
  traces,
  ...options
}: Options = {}): Promise<TracedStage> {
  const collector = await startCollector()
  const sandbox = await startSandbox()
  const gateway = await createTestGateway({
    ...options,
    accounts: accounts.map((account) => ({
      id: 'a',
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${account.id ?? 'a'}`,
      models: ['*'],
      ...account,
    })),
    telemetry: { traces: { endpoint: collector.url, ...traces } },
  })
  let isEnded = false
  const end = async () => {
    if (!isEnded) await gateway[Symbol.asyncDispose]()
    isEnded = true
  }
  return {
    gateway,
    collector,
    ask: (path, body, headers = {}) =>
      fetch(gateway.url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async traceOf({ headers }) {
      await end()
      return wholeTrace(collector.spans, headers.get('x-trace-id'))
    },
    async [Symbol.asyncDispose]() {
      await end()
      await sandbox[Symbol.asyncDispose]()
      await collector[Symbol.asyncDispose]()
    },
  }
}

/** The span of an exchange. */
export function serverOf(spans: readonly ReceivedSpan[]): ReceivedSpan {
  return spans.find(({ kind }) => kind === 'server') as ReceivedSpan
}
