import OpenAI, { toFile } from 'openai-7'

import { startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

type Settings = NonNullable<TestGatewayOptions['accounts']>[number]

export interface FilesStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Awaited<ReturnType<typeof startSandbox>>
  /** The official client with the key `one`. */
  readonly openai: OpenAI
  /** The official client with the key `two`. */
  readonly other: OpenAI
  /** The account that the last request reached. */
  lastAccount(): string | undefined
}

type Options = Omit<TestGatewayOptions, 'accounts'> & {
  readonly accounts?: readonly Partial<Settings>[]
}

/** Two keys on accounts of the sandbox that store files. */
export async function filesStage(options: Options = {}): Promise<FilesStage> {
  const sandbox = await startSandbox()
  const { accounts = [{ id: 'a' }], ...rest } = options
  const gateway = await createTestGateway({
    keys: ['one', 'two'].map((id) => ({ id, secret: `secret-${id}` })),
    ...rest,
    accounts: accounts.map((account) => ({
      id: 'a',
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${account.id ?? 'a'}`,
      models: ['m'],
      speaks: ['responses', 'chat', 'files'],
      ...account,
    })),
  })
  return {
    gateway,
    sandbox,
    openai: clientOf(gateway, 'secret-one'),
    other: clientOf(gateway, 'secret-two'),
    lastAccount: () => sandbox.requests.at(-1)?.account,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

export function clientOf({ url }: TestGateway, apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
}

/** A request of a batch. */
export function line(id: string, model = 'm', body: object = {}): string {
  return JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: `Hello ${id}` }], ...body },
  })
}

export function jsonl(...lines: readonly string[]) {
  return toFile(Buffer.from(lines.map((one) => `${one}\n`).join('')), 'lines.jsonl')
}

/** Uploads the requests of a batch, and orders it. */
export async function orderBatch(openai: OpenAI, ...lines: readonly string[]) {
  const file = await openai.files.create({ file: await jsonl(...lines), purpose: 'batch' })
  return openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
}

/** Asks until a batch is over. */
export async function finished(openai: OpenAI, id: string) {
  for (;;) {
    const batch = await openai.batches.retrieve(id)
    if (['completed', 'failed', 'cancelled', 'expired'].includes(batch.status)) return batch
  }
}
