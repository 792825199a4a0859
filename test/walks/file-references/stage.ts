import { startSandbox } from '../../../src/sandbox/index.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'
import { put, type Service, startService } from '../../uploads/service.ts'

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
export const pdf = Buffer.from('%PDF-1.4\n%%EOF\n')

/** Where each dialect takes a question, and how its accounts are configured. */
export const dialects = {
  chat: { path: '/v1/chat/completions', provider: 'openai', base: '/v1' },
  responses: { path: '/v1/responses', provider: 'openai', base: '/v1' },
  messages: { path: '/v1/messages', provider: 'anthropic', base: '' },
  generate: { path: '/v1beta/models/m:generateContent', provider: 'gemini', base: '' },
} as const

export type DialectName = keyof typeof dialects

export const dialectNames = Object.keys(dialects) as DialectName[]

/** What clients ask who name a file by `name`. */
export const questions: Record<
  DialectName,
  Record<'image' | 'document', (name: string, model?: string) => object>
> = {
  chat: {
    image: (url, model = 'm') => chatOf(model, { type: 'image_url', image_url: { url } }),
    document: (file_data, model = 'm') => chatOf(model, { type: 'file', file: { file_data } }),
  },
  responses: {
    image: (image_url, model = 'm') => inputOf(model, { type: 'input_image', image_url }),
    document: (file_url, model = 'm') => inputOf(model, { type: 'input_file', file_url }),
  },
  messages: {
    image: (url, model = 'm') => messageOf(model, 'image', url),
    document: (url, model = 'm') => messageOf(model, 'document', url),
  },
  generate: {
    image: (fileUri) => contentsOf({ fileUri }),
    document: (fileUri) => contentsOf({ fileUri, mimeType: 'application/pdf' }),
  },
}

function chatOf(model: string, part: object) {
  const content = [{ type: 'text', text: 'What is this?' }, part]
  return { model, messages: [{ role: 'user', content }] }
}

function inputOf(model: string, part: object) {
  return { model, input: [{ role: 'user', content: [part] }] }
}

function messageOf(model: string, type: string, url: string) {
  const content = [{ type, source: { type: 'url', url } }]
  return { model, max_tokens: 99, messages: [{ role: 'user', content }] }
}

function contentsOf(fileData: object) {
  return { contents: [{ role: 'user', parts: [{ fileData }] }] }
}

/** Uploads a file as the holder of a key, and returns its path. */
export async function upload(service: Service, path: string, bytes: Buffer): Promise<string> {
  const issued = await service.issue({ path })
  const { status } = await put(issued.upload_url, bytes)
  if (status !== 201) throw new Error(`The upload was answered ${status}.`)
  return issued.path
}

/** Asks as a client of a dialect. */
export function ask(
  { gateway }: Service,
  { path }: { readonly path: string },
  body: object | string,
  key = 'key-of-alice',
): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** A gateway in front of a sandbox that speaks one dialect. */
export async function startHouse(speaks: DialectName, options: TestGatewayOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const account = { provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
  const service = starting.use(
    await startService({
      ...options,
      accounts: [{ ...account, id: 'a', speaks: [speaks], models: { m: 'sandbox/echo' } }],
    }),
  )
  const started = starting.move()
  return { sandbox, service, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
